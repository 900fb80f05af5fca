import type { Holder } from '../../model/holder.js';
import type { Receipt } from '../../model/receipt.js';
import type { Charge, Layer, LayerNeeds } from '../layer.js';
import { Layers } from '../layers/layers.js';
import type { ComposedStore, LayeredStore, RemoteStore } from '../store.js';
import type { PermitLayer } from '../with-permits/with-permits.js';

/** The layers of a store, in their order. */
export interface LayerList {
  readonly answers?: Layer;
  /** In its place where no denial of the past answers. */
  readonly forgets?: Layer;
  readonly permits: PermitLayer;
  readonly lease?: Layer & { release(): Promise<void> };
  readonly fallback?: Layer;
}

/** What a store can do behind a list of layers. */
export function behind(
  { answers, forgets, permits, lease, fallback }: LayerList,
  store: LayeredStore & Partial<RemoteStore>,
): Omit<ComposedStore, 'stats' | 'isInMemory' | 'rateStore'> {
  const list = (...layers: readonly (Layer | undefined)[]) =>
    new Layers(
      store,
      layers.filter((layer) => layer !== undefined),
    );
  return {
    cached: list(answers, permits, lease, fallback),
    uncached: list(forgets, permits, lease, fallback),
    chargeFor({ isCached, isLeased, mayHold, mayPause, features, owner }: LayerNeeds): Charge {
      const holding = mayHold || mayPause ? permits : undefined;
      const before = [...features, isCached ? answers : undefined, holding];
      const layers = list(...before, isLeased ? lease : undefined, fallback);
      if (!mayHold) return layers.charge();
      // A request that may wait is sent by its line, perhaps more than once.
      return (group, facts) => permits.sendInLine({ layers, group, facts, owner });
    },
    watch: (receipts: readonly Receipt[], holder: Holder) => permits.watch(receipts, holder),
    running: () => permits.running(),
    async release(owner: object) {
      await Promise.all([lease?.release(), permits.release(owner)]);
    },
  };
}
