import { coveredBy } from '../../model/covering.js';
import { chain } from '../../async/deferred.js';
import type { MaybePromise } from '../../async/maybe-promise.js';
import { channels } from '../../events/channels.js';
import type { DegradedEvent } from '../../events/events.js';
import { warn } from '../../events/warning.js';
import { NO_TERMS, type Claim, type OnStoreFailure } from '../../model/claim.js';
import { isSluiceError } from '../../model/errors.js';
import { admitsNothing } from '../../model/policy.js';
import type { Receipt } from '../../model/receipt.js';
import type { Layer, Passage, Undo } from '../layer.js';
import type { LayeredStore, RemoteStore } from '../store.js';
import { tierPolicyOf } from '../with-permits/wishes.js';
import type { Answer } from '../../model/answer.js';

type BeforeLocal = (claims: readonly Claim[]) => void;

/** Answers where the store fails, as `onStoreFailure` of the claims says. A denial is an answer and not a failure. */
export class FallbackLayer implements Layer {
  readonly #store: Partial<RemoteStore>;
  readonly #local: LayeredStore;
  readonly #beforeLocal: BeforeLocal;
  /** For a store that says when it is away, so that a request takes no promise then. One that takes checks asks by itself. */
  readonly before: Layer['before'];

  /**
   * @param local decides for this process alone. Its counts outlive an outage, so that the next outage grants no fresh
   *   budget, and they are never sent to the store
   * @param beforeLocal is called with claims that `local` decides next
   */
  constructor(store: Partial<RemoteStore>, local: LayeredStore, beforeLocal: BeforeLocal = () => {}) {
    this.#store = store;
    this.#local = local;
    this.#beforeLocal = beforeLocal;
    if (store.send !== undefined) return;
    this.before = ({ group, isPeek }) => {
      const outage = isPeek ? undefined : store.outageOf?.(group);
      return outage && this.recover(outage, group);
    };
  }

  onError({ group, isPeek }: Passage, error: unknown): MaybePromise<Answer> {
    if (isPeek) return this.#onFailure('peek', group, error);
    const answer = this.recover(error, group);
    const changedNothing = this.#store.link?.changedNothing(error, group);
    return changedNothing ? chain(answer, (each) => ({ ...each, untouched: true as const })) : answer;
  }

  recover(error: unknown, group: readonly Claim[]): MaybePromise<Answer> {
    return this.#onFailure('consume', group, error);
  }

  /** Gives units back where they were charged. Units that the store cannot take back stay counted: no refund is retried. */
  async undo(receipts: readonly Receipt[], below: Undo): Promise<number> {
    const ours = receipts.filter(({ source }) => source === 'local');
    const theirs = receipts.filter(({ source }) => source !== 'local');
    const [here, there] = await Promise.all([
      ours.length > 0 ? this.#local.refund(ours) : 0,
      theirs.length > 0 ? undoBelow(theirs, below) : 0,
    ]);
    return here + there;
  }

  async forget(keys: readonly string[], below: () => MaybePromise<void>): Promise<void> {
    await this.#local.reset(keys);
    await below();
  }

  close(): MaybePromise<void> {
    return this.#local.close();
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

async function undoBelow(receipts: readonly Receipt[], below: Undo): Promise<number> {
  try {
    return await below(receipts);
  } catch (error) {
    report(failureOf(error), { operation: 'refund' }, receipts);
    return 0;
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
  return group.flatMap(({ policy }) => coveredBy(policy) ?? []);
}

/** Neither admitted nor denied. */
const NOT_KNOWN = { outcomes: [], source: 'none', fallback: 'deny' } as const;

/** True for a denial that a balance may pay: this process does not know what the balance holds. */
function mayBePaid(enforced: readonly Claim[], { outcomes }: Answer): boolean {
  const covered = coveredIn(enforced);
  const denied = outcomes.filter(({ allowed }) => !allowed);
  return denied.length > 0 && denied.every(({ tier }) => covered.includes(tier));
}

/** A cost that only the store can decide is unavailable: neither `denied` nor `never` would be true. */
function fallbackOf(enforced: readonly Claim[]): OnStoreFailure {
  let fallback: OnStoreFailure = 'allow';
  for (const claim of enforced) {
    if (claim.terms?.onStoreFailure === 'deny' || (isLocal(claim) && isAboveShare(claim))) return 'deny';
    if (isLocal(claim)) fallback = 'local';
  }
  return fallback;
}

function isLocal({ terms = NO_TERMS }: Claim): boolean {
  return terms.onStoreFailure === 'local';
}

/** True for a cost that fits the limit, but not the share of it that this process has. */
function isAboveShare({ cost, policy, terms = NO_TERMS }: Claim): boolean {
  return !terms.takesAll && cost <= policy.capacity && cost > terms.localPolicyOf(tierPolicyOf(policy)).capacity;
}

function toLocalClaim(claim: Claim): Claim {
  const { policy, record, terms = NO_TERMS } = claim;
  // A process alone yields to no other one, so that its requests in line have the policy of all others.
  const localPolicy = terms.localPolicyOf(tierPolicyOf(policy));
  if (localPolicy === policy && record === undefined) return claim;
  const cost = terms.takesAll ? Math.min(claim.cost, localPolicy.capacity) : claim.cost;
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
