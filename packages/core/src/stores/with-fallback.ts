import { channels } from '../events/channels.js';
import type { DegradedEvent } from '../events/events.js';
import { warn } from '../events/warning.js';
import type { Claim } from '../model/claim.js';
import { isSluiceError } from '../model/errors.js';
import type { MaybePromise } from '../async/maybe-promise.js';
import { chain } from '../async/chain.js';
import type { OnStoreFailure } from '../model/on-store-failure.js';
import type { Receipt } from '../model/receipt.js';
import { passing, type Station } from './asking.js';
import type { Answer, Store } from './store.js';

/** A store that always answers. */
export interface FallbackStore extends Store {
  /** What is answered to claims that are to be consumed, where the store has failed already. */
  recover(error: unknown, group: readonly Claim[]): MaybePromise<Answer>;
}

/**
 * A store that always answers: where the one it wraps cannot, it does what the claims say. Denied is an answer, so it is
 * never taken for an outage.
 *
 * @param local decides for this process alone. It outlives an outage, so that the next one grants nothing anew, and what
 *   it has counted is not told to the store
 */
export function withFallback(store: Store, local: Store): FallbackStore {
  return new FallingBack(store, local);
}

class FallingBack implements FallbackStore {
  readonly #store: Store;
  readonly #local: Store;
  readonly #consuming = this.#station('consume');
  readonly #peeking = this.#station('peek');

  constructor(store: Store, local: Store) {
    this.#store = store;
    this.#local = local;
  }

  consume(group: readonly Claim[]): MaybePromise<Answer> {
    try {
      return passing(this.#store.consume(group), group, this.#consuming);
    } catch (error) {
      return this.#consuming.recover(error, group);
    }
  }

  recover(error: unknown, group: readonly Claim[]): MaybePromise<Answer> {
    return this.#consuming.recover(error, group);
  }

  peek(group: readonly Claim[]): MaybePromise<Answer> {
    try {
      return passing(this.#store.peek(group), group, this.#peeking);
    } catch (error) {
      return this.#peeking.recover(error, group);
    }
  }

  /** What was charged here is given back here. What the store cannot give back now stays counted: nothing is retried. */
  async refund(receipts: readonly Receipt[]): Promise<number> {
    const ours = receipts.filter(({ source }) => source === 'local');
    const theirs = receipts.filter(({ source }) => source !== 'local');
    const [here, there] = await Promise.all([
      ours.length > 0 ? this.#local.refund(ours) : 0,
      theirs.length > 0 ? this.#refundThere(theirs) : 0,
    ]);
    return here + there;
  }

  async reset(keys: readonly string[]): Promise<void> {
    await this.#local.reset(keys);
    await this.#store.reset(keys);
  }

  inspect(key: string): MaybePromise<readonly string[]> {
    return this.#store.inspect(key);
  }

  async close(): Promise<void> {
    await this.#local.close();
    await this.#store.close();
  }

  async #refundThere(receipts: readonly Receipt[]): Promise<number> {
    try {
      return await this.#store.refund(receipts);
    } catch (error) {
      report({ operation: 'refund', tiers: receipts.map(({ tier }) => tier), ...failureOf(error) });
      return 0;
    }
  }

  #station(operation: 'consume' | 'peek'): Station {
    return { pass: (answer) => answer, recover: (error, group) => this.#without(operation, group, error) };
  }

  #without(operation: 'consume' | 'peek', group: readonly Claim[], error: unknown): MaybePromise<Answer> {
    const failure = failureOf(error);
    const enforced = group.filter(({ shadow }) => !shadow);
    const fallback = fallbackOf(enforced);
    report({ operation, fallback, tiers: group.map(({ tier }) => tier), ...failure });
    if (fallback !== 'local') return { outcomes: [], receipts: [], source: 'none', fallback };
    return this.#decideHere(operation, enforced);
  }

  #decideHere(operation: 'consume' | 'peek', enforced: readonly Claim[]): MaybePromise<Answer> {
    return chain(this.#local[operation](enforced.filter(isLocal).map(localClaim)), ({ outcomes, receipts }) => ({
      outcomes,
      receipts: receipts.map((receipt) => ({ ...receipt, source: 'local' as const })),
      source: 'local' as const,
      fallback: 'local' as const,
    }));
  }
}

/** Why a store could not answer, in words that name nobody. */
type Failure = Pick<DegradedEvent, 'code' | 'message'>;

/** What becomes of a request: what cannot be decided here is not said to be too much, or too little. */
function fallbackOf(enforced: readonly Claim[]): OnStoreFailure {
  if (enforced.some((claim) => claim.onStoreFailure === 'deny' || (isLocal(claim) && isTooLarge(claim)))) return 'deny';
  return enforced.some(isLocal) ? 'local' : 'allow';
}

function isLocal({ onStoreFailure = 'local' }: Claim): boolean {
  return onStoreFailure === 'local';
}

/** It fits the limit, and not the share of it that this process has. */
function isTooLarge({ cost, policy, localPolicy = policy }: Claim): boolean {
  return cost > localPolicy.capacity && cost <= policy.capacity;
}

function localClaim(claim: Claim): Claim {
  return { ...claim, policy: claim.localPolicy ?? claim.policy, record: undefined };
}

/** Throws what is no failure of a store: one that was closed is asked by a mistake, and that is to be seen. */
function failureOf(error: unknown): Failure {
  // Whatever a foreign store says may tell who somebody is.
  if (!isSluiceError(error)) return { code: 'STORE_UNAVAILABLE', message: 'the store failed with an error of its own' };
  if (error.name !== 'StoreError' || error.code === 'STORE_CLOSED') throw error;
  return { code: error.code, message: error.message };
}

function report(event: DegradedEvent): void {
  warn(
    'SLUICE_STORE_UNAVAILABLE',
    `rateLimit: a store could not answer, and requests are decided without it where onStoreFailure says so (told once; subscribe to sluice:degraded for more): ${event.message}`,
  );
  if (channels.degraded.hasSubscribers) channels.degraded.publish(event);
}
