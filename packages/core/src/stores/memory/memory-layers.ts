import type { Answer } from '../../model/answer.js';
import type { Claim } from '../../model/claim.js';
import type { Receipt } from '../../model/receipt.js';
import { behind } from '../composed/layer-list.js';
import type { RateStore } from '../decided-rates.js';
import type { ComposedStore, Store } from '../store.js';
import { PermitLayer } from '../with-permits/with-permits.js';
import { checkClusterWorker } from './cluster-worker-check.js';

/** Makes the layers of a memory store. It decides faster than a cache answers, and never fails: only permits lie before it. */
export function memoryLayers(store: Store & RateStore & { decide(group: readonly Claim[]): Answer }): ComposedStore {
  checkClusterWorker();
  const direct = {
    consume: (group: readonly Claim[]) => store.decide(group),
    peek: (group: readonly Claim[]) => store.peek(group),
    refund: (receipts: readonly Receipt[]) => store.refund(receipts),
    reset: (keys: readonly string[]) => store.reset(keys),
    close: () => store.close(),
  };
  const permits = new PermitLayer({ below: direct, target: store });
  return { ...behind({ permits }, direct), stats: () => [], isInMemory: true, rateStore: store };
}
