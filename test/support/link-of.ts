import type { LayeredStore, ServerLink } from '../../packages/core/src/stores/store.js';

/** A link to the server of a store that has none of its own. */
export function linkOf(store: Pick<LayeredStore, 'consume' | 'refund'>, own: Partial<ServerLink> = {}): ServerLink {
  return {
    onReady: () => () => undefined,
    onAnswer: () => () => undefined,
    chargeFirst: (claim) => store.consume([claim]),
    releaseFirst: (receipts) => Promise.all(receipts.map(async (receipt) => store.refund([receipt]))),
    changedNothing: () => false,
    ...own,
  };
}
