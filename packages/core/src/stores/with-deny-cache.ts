import { chain } from '../async/deferred.js';
import type { MaybePromise } from '../async/maybe-promise.js';
import type { Claim } from '../model/claim.js';
import type { DenialCache } from './denial-cache.js';
import type { Store } from './store.js';

/** A store that answers from a cache of denials where it can. */
export interface DenyCacheStore extends Store {
  /** The same store, for limiters with `denyCache: false`. Its refunds and resets drop denials too. */
  readonly uncached: Store;
}

/** Answers for a store that has denied already: until `retryAfter` has passed, another request is denied too. */
export function withDenyCache(store: Store, denials: DenialCache): DenyCacheStore {
  // Forgets before and after the change: neither a request during the change nor an answer already in flight may
  // bring the old denial back.
  const forgetting = async <T>(keys: readonly string[], change: () => MaybePromise<T>): Promise<T> => {
    denials.forget(keys);
    try {
      return await change();
    } finally {
      denials.forget(keys);
    }
  };
  const keysOf = (items: readonly { readonly key: string }[]) => items.map(({ key }) => key);

  const uncached: Store = {
    consume: (group) => store.consume(group),
    peek: (group) => store.peek(group),
    refund: (receipts) => forgetting(keysOf(receipts), () => store.refund(receipts)),
    reset: (keys) => forgetting(keys, () => store.reset(keys)),
    inspect: (key) => store.inspect(key),
    close: () => store.close(),
  };
  return {
    ...uncached,
    uncached,
    consume(group) {
      // A denied request still charges a tier with `countDenied`.
      if (group.some(countsDenied)) return store.consume(group);
      const known = denials.answerTo(group);
      if (known) return known;
      return chain(store.consume(group), (answer) => {
        denials.remember(group, answer);
        return answer;
      });
    },
  };
}

function countsDenied({ countDenied }: Claim): boolean {
  return countDenied;
}
