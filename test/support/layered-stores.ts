import { denyLayer, type DenyCache } from '../../packages/core/src/stores/between-processes/deny-cache.js';
import type { Recover, RequestFacts } from '../../packages/core/src/stores/layer.js';
import { Layers } from '../../packages/core/src/stores/layers/layers.js';
import type { LayeredStore, RemoteStore, Store } from '../../packages/core/src/stores/store.js';
import { Pauses } from '../../packages/core/src/stores/with-permits/pauses.js';
import { FallbackLayer } from '../../packages/core/src/stores/between-processes/with-fallback.js';
import { LeaseLayer, type LeaseContext } from '../../packages/core/src/stores/with-lease/with-lease.js';
import { Outbox } from '../../packages/core/src/stores/between-processes/outbox.js';
import { PermitLayer, type PermitContext } from '../../packages/core/src/stores/with-permits/with-permits.js';

// Stores behind one layer, for the specs of that layer.

export function behindDenyCache(store: LayeredStore, denials: DenyCache): Layers & { readonly uncached: Layers } {
  const cached = new Layers(store, [denyLayer(denials)]);
  return Object.assign(cached, { uncached: new Layers(store, [denyLayer(denials, { answers: false })]) });
}

export function behindFallback(
  store: LayeredStore & Partial<RemoteStore>,
  local: LayeredStore,
  beforeLocal?: ConstructorParameters<typeof FallbackLayer>[2],
): Layers & { readonly recover: Recover } {
  const layer = new FallbackLayer(store, local, beforeLocal);
  return Object.assign(new Layers(store, [layer]), { recover: layer.recover.bind(layer) });
}

export function behindLease(
  store: LayeredStore & { recover(...args: Parameters<Recover>): ReturnType<Recover> },
  context: Omit<LeaseContext, 'below' | 'recover'>,
): Layers & { release(): Promise<void> } {
  const recover: Recover = (error, group) => store.recover(error, group);
  const layer = new LeaseLayer({ ...context, below: store, recover });
  return Object.assign(new Layers(store, [layer]), { release: () => layer.release() });
}

/** Requests of one limiter. */
export function behindPermits(
  store: LayeredStore,
  context: Omit<PermitContext, 'below'>,
): Layers & Pick<PermitLayer, 'release' | 'watch'> {
  const outbox = new Outbox(context.target, context.clock);
  const pauses = new Pauses(context.target, context.clock ?? (() => performance.now()));
  const layer = new PermitLayer({ outbox, pauses, ...context, below: store });
  const layers = new Layers(store, [layer]);
  const owner = {};
  return Object.assign(new Layers(store, [layer]), {
    consume: (group: Parameters<Store['consume']>[0], facts?: RequestFacts) =>
      layer.sendInLine({ layers, group, facts, owner }),
    release: (limiter: object) => layer.release(limiter),
    watch: layer.watch.bind(layer),
  });
}
