import { chain } from '../async/deferred.js';
import type { MaybePromise } from '../async/maybe-promise.js';
import { channels } from '../events/channels.js';
import type { DegradedEvent } from '../events/events.js';
import { warn } from '../events/warning.js';
import type { Claim, OnStoreFailure } from '../model/claim.js';
import { isSluiceError } from '../model/errors.js';
import { admitsNothing } from '../model/policy.js';
import type { Receipt } from '../model/receipt.js';
import type { Answer, FallbackStore, RemoteStore, Store } from './store.js';

/**
 * Wraps a store so that it always answers: when the store fails, `onStoreFailure` of the claims decides. A denial is an
 * answer and not a failure.
 *
 * @param local decides for this process alone. Its counts outlive an outage, so that the next outage grants no fresh
 *   budget, and they are never sent to the store
 * @param beforeLocal is called with claims that `local` decides next
 */
export function withFallback(store: Store, local: Store, beforeLocal: BeforeLocal = () => {}): FallbackStore {
  return new StoreWithFallback(store, local, beforeLocal);
}

type BeforeLocal = (claims: readonly Claim[]) => void;

class StoreWithFallback implements FallbackStore {
  readonly #store: Store & Partial<RemoteStore>;
  readonly #local: Store;
  readonly #beforeLocal: BeforeLocal;

  constructor(store: Store, local: Store, beforeLocal: BeforeLocal) {
    this.#store = store;
    this.#local = local;
    this.#beforeLocal = beforeLocal;
  }

  consume(group: readonly Claim[]): MaybePromise<Answer> {
    // During an outage a request takes no promise, so that it costs little more than in memory.
    const outage = this.#store.outageOf?.(group);
    if (outage) return this.#onFailure('consume', group, outage);
    const onError = (error: unknown) => {
      const answer = this.#onFailure('consume', group, error);
      return this.#store.changedNothing?.(error, group) ? chain(answer, withoutTrace) : answer;
    };
    try {
      return chain(this.#store.consume(group), unchanged, onError);
    } catch (error) {
      return onError(error);
    }
  }

  peek(group: readonly Claim[]): MaybePromise<Answer> {
    const onError = (error: unknown) => this.#onFailure('peek', group, error);
    try {
      return chain(this.#store.peek(group), unchanged, onError);
    } catch (error) {
      return onError(error);
    }
  }

  recover(error: unknown, group: readonly Claim[]): MaybePromise<Answer> {
    return this.#onFailure('consume', group, error);
  }

  /** Gives units back where they were charged. Units that the store cannot take back stay counted: no refund is retried. */
  async refund(receipts: readonly Receipt[]): Promise<number> {
    const ours = receipts.filter(({ source }) => source === 'local');
    const theirs = receipts.filter(({ source }) => source !== 'local');
    const [here, there] = await Promise.all([
      ours.length > 0 ? this.#local.refund(ours) : 0,
      theirs.length > 0 ? this.#refundToStore(theirs) : 0,
    ]);
    return here + there;
  }

  async reset(keys: readonly string[]): Promise<void> {
    await this.#local.reset(keys);
    await this.#store.reset(keys);
  }

  recorded(key: string): MaybePromise<readonly string[]> {
    return this.#store.recorded(key);
  }

  async close(): Promise<void> {
    await this.#local.close();
    await this.#store.close();
  }

  async #refundToStore(receipts: readonly Receipt[]): Promise<number> {
    try {
      return await this.#store.refund(receipts);
    } catch (error) {
      report(failureOf(error), { operation: 'refund' }, receipts);
      return 0;
    }
  }

  #onFailure(operation: 'consume' | 'peek', group: readonly Claim[], error: unknown): MaybePromise<Answer> {
    const failure = failureOf(error);
    const known = knownIn(group);
    const isAsked = (claim: Claim) => !claim.shadow && !known.includes(claim);
    const asked = group.every(isAsked) ? group : group.filter(isAsked);
    const fallback = fallbackOf(asked);
    report(failure, { operation, fallback }, group);
    const isDecided = (claim: Claim) =>
      isAsked(claim) ? fallback === 'local' && isLocal(claim) : known.includes(claim);
    const claims = group.filter(isDecided).map(toLocalClaim);
    if (claims.length === 0) return { outcomes: [], receipts: [], source: 'none', fallback };
    this.#beforeLocal(claims);
    return chain(this.#local[operation](claims), (answer) =>
      mayBePaid(asked, answer) ? { ...NOT_KNOWN, receipts: answer.receipts } : toLocalAnswer(answer, fallback),
    );
  }
}

const NONE: readonly Claim[] = [];

/** The claims on limits of 0, which need no store, unless a balance may pay in their place. */
function knownIn(group: readonly Claim[]): readonly Claim[] {
  if (!group.some(({ policy }) => admitsNothing(policy))) return NONE;
  const covered = coveredIn(group);
  return group.filter(({ policy, tier }) => admitsNothing(policy) && !covered.includes(tier));
}

/** The names of the tiers that balances cover. */
function coveredIn(group: readonly Claim[]): readonly string[] {
  return group.flatMap(({ policy: { covers = [] } }) => covers);
}

/** Neither admitted nor denied. */
const NOT_KNOWN = { outcomes: [], source: 'none', fallback: 'deny' } as const;

/** True for a denial that a balance may pay: this process does not know what the balance holds. */
function mayBePaid(enforced: readonly Claim[], { outcomes }: Answer): boolean {
  const covered = coveredIn(enforced);
  const denied = outcomes.filter(({ allowed }) => !allowed);
  return denied.length > 0 && denied.every(({ tier }) => covered.includes(tier));
}

function unchanged(answer: Answer): Answer {
  return answer;
}

function withoutTrace(answer: Answer): Answer {
  return { ...answer, untouched: true };
}

/** A cost that only the store can decide is unavailable: neither `denied` nor `never` would be true. */
function fallbackOf(enforced: readonly Claim[]): OnStoreFailure {
  let fallback: OnStoreFailure = 'allow';
  for (const claim of enforced) {
    if (claim.onStoreFailure === 'deny' || (isLocal(claim) && isAboveShare(claim))) return 'deny';
    if (isLocal(claim)) fallback = 'local';
  }
  return fallback;
}

function isLocal({ onStoreFailure = 'local' }: Claim): boolean {
  return onStoreFailure === 'local';
}

/** True for a cost that fits the limit, but not the share of it that this process has. */
function isAboveShare({ cost, policy, localPolicy = policy, takesAll }: Claim): boolean {
  return !takesAll && cost > localPolicy.capacity && cost <= policy.capacity;
}

function toLocalClaim(claim: Claim): Claim {
  const { policy, localPolicy = policy, record, takesAll } = claim;
  if (localPolicy === policy && record === undefined) return claim;
  const cost = takesAll ? Math.min(claim.cost, localPolicy.capacity) : claim.cost;
  return { ...claim, policy: localPolicy, cost, record: undefined };
}

/** Without marks: a process that limits alone does not know what the others charge, and would give each notice for itself. */
function toLocalAnswer({ outcomes, receipts }: Answer, fallback: OnStoreFailure): Answer {
  const source = fallback === 'local' ? 'local' : 'none';
  return { outcomes, receipts: receipts.map(toLocalReceipt), source, fallback };
}

// Member by member, because a spread takes as long as the decision.
function toLocalReceipt({ tier, key, policy, units, at, until, name, of, before }: Receipt): Receipt {
  if (before !== undefined) return { tier, key, policy, units, at, until, before, source: 'local' };
  if (name !== undefined) return { tier, key, policy, units, at, until, name, of: of!, source: 'local' };
  return { tier, key, policy, units, at, until, source: 'local' };
}

type Failure = Pick<DegradedEvent, 'code' | 'message'>;

/** @throws the error itself if it is not an outage: a call to a closed store is a bug of the application */
function failureOf(error: unknown): Failure {
  // The message of a custom store may name a client.
  if (!isSluiceError(error)) return { code: 'STORE_UNAVAILABLE', message: 'the store failed with an error of its own' };
  if (error.name !== 'StoreError' || error.code === 'STORE_CLOSED') throw error;
  return error;
}

function report(
  { code, message }: Failure,
  about: Pick<DegradedEvent, 'operation' | 'fallback'>,
  group: readonly { readonly tier: string }[],
): void {
  warn(
    'SLUICE_STORE_UNAVAILABLE',
    `rateLimit: a store is unavailable, so onStoreFailure decides requests (this warning appears once; subscribe to sluice:degraded for every case): ${message}`,
  );
  if (!channels.degraded.hasSubscribers) return;
  channels.degraded.publish({ ...about, code, message, tiers: group.map(({ tier }) => tier) });
}
