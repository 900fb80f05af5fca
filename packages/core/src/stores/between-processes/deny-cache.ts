import type { MaybePromise } from '../../async/maybe-promise.js';
import { BoundedCache } from '../../cache/bounded-cache.js';
import { chargingOf, type Claim } from '../../model/claim.js';
import { isAdmitted, type Outcome } from '../../model/outcome.js';
import { samePolicy } from '../../model/policy.js';
import { endsWithRequest } from '../../model/receipt.js';
import { KeyDenials } from './key-denials.js';
import type { Layer } from '../layer.js';
import type { Answer } from '../../model/answer.js';

/** Another process may give units back, which this one cannot see. */
const MAX_CACHED_MS = 60_000;
/** The clocks of two machines differ by less than a thousandth. */
const DRIFT = 0.999;
export const MAX_DENIALS = 65_536;

/**
 * Remembers which keys were denied. A denial cannot change before its `retryAfter` has passed, unless units are given
 * back: a refund, a reset or a lease calls `forget`.
 */
export class DenyCache {
  readonly #clock: () => number;
  readonly #denials = new BoundedCache<KeyDenials>(MAX_DENIALS);
  /** When a key was forgotten. Answers to requests sent earlier are stale. */
  readonly #forgottenAt = new BoundedCache<number>(MAX_DENIALS);

  /** @param clock monotonic, in milliseconds */
  constructor(clock: () => number = () => performance.now()) {
    this.#clock = clock;
  }

  get size(): number {
    return this.#denials.size;
  }

  /**
   * The answer to a group that a remembered denial denies. It names the tiers that are known to deny, and no others.
   * Undefined where the wait of one of them is not known.
   */
  answerTo(group: readonly Claim[]): Answer | undefined {
    // A denied request still charges a tier that charges all.
    if (this.#denials.isEmpty || group.some(chargesAll)) return undefined;
    const outcomes: Outcome[] = [];
    // If the group has a ban tier, the store must see the denial, because it charges the ban.
    const hasBan = group.some(isBan);
    let now = 0;
    for (const claim of group) {
      const { key, policy, cost, shadow } = claim;
      if (shadow) continue;
      // The decision is `never`, whatever the other tiers say.
      if (cost > policy.capacity) return undefined;
      if (hasBan && !isBan(claim)) continue;
      const denials = this.#denials.get(key);
      if (denials === undefined || !samePolicy(denials.policy, policy)) continue;
      now ||= this.#clock();
      const outcome = denials.outcomeOf(cost, now);
      if (outcome === 'denied') return undefined;
      if (outcome !== undefined) outcomes.push(outcome);
    }
    return outcomes.length > 0 ? { outcomes, receipts: NO_RECEIPTS, source: 'deny-cache' } : undefined;
  }

  /** Remembers the denials of an answer, if it says when its request was sent. */
  remember(group: readonly Claim[], answer: Answer): void {
    const { outcomes, sentAt } = answer;
    if (this.#denials.isEmpty && isAdmitted(outcomes)) return;
    if (sentAt === undefined) {
      if (group.some(chargesAll)) this.onCharge(group);
      return;
    }
    if (isAdmitted(outcomes) || group.some(chargesAll)) {
      this.onCharge(group);
      return;
    }
    this.onCharge(answer.receipts);
    const receivedAt = this.#clock();
    for (const [index, claim] of group.entries()) {
      const { key, policy, cost } = claim;
      const outcome = outcomes[index];
      let known = this.#denials.get(key);
      // The store has re-dated the state by the new numbers, so that the old denial may be too long.
      if (known && !samePolicy(known.policy, policy)) {
        this.#denials.delete(key);
        known = undefined;
      }
      if (outcome === undefined || outcome.never || outcome.shadow) continue;
      if (outcome.allowed) {
        // On a Cluster this slot may have charged the tier and given it back. A denial in between is no longer true.
        if (cost > 0) this.forget([key]);
        continue;
      }
      // Another process may end it at any time. While a ban denies, nothing is charged to it.
      if (!policy.algorithm.denialsLast && !isBan(claim)) continue;
      if ((this.#forgottenAt.get(key) ?? -Infinity) >= sentAt) continue;
      // `retryAfter` is rounded up by less than a millisecond.
      const expiresAt = sentAt + Math.min((outcome.retryAfter - 1) * DRIFT, MAX_CACHED_MS);
      if (expiresAt <= receivedAt) continue;
      const denials = known ?? new KeyDenials(policy);
      denials.add({ cost, outcome, receivedAt, expiresAt });
      this.#denials.set(key, denials);
    }
  }

  /** Drops the denials of keys that were charged: a cost that was denied waits longer by now. */
  onCharge(charged: readonly { readonly key: string }[]): void {
    if (this.#denials.isEmpty) return;
    for (const { key } of charged) this.#denials.delete(key);
  }

  /** Drops the denials of keys that have units again, also those that answers in flight bring. */
  forget(keys: readonly string[]): void {
    const now = this.#clock();
    for (const key of keys) {
      this.#denials.delete(key);
      this.#forgottenAt.set(key, now);
    }
  }
}

const NO_RECEIPTS: Answer['receipts'] = Object.freeze([]);

interface DenyOptions {
  /** False for limiters with `denyCache: false`, whose refunds and resets drop denials too. @default true */
  readonly answers?: boolean;
  /** A request may have keys on several servers. @default false */
  readonly isDivided?: boolean;
}

/** Answers for a store that has denied already: until `retryAfter` has passed, another request is denied too. */
export function denyLayer(denials: DenyCache, { answers = true, isDivided = false }: DenyOptions = {}): Layer {
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
  const forgets: Layer = {
    undo(receipts, below) {
      // A denial is not cached where another request may end at any time.
      const cached = receipts.filter((receipt) => !endsWithRequest(receipt));
      if (cached.length === 0) return below(receipts);
      return forgetting(
        cached.map(({ key }) => key),
        () => below(receipts),
      );
    },
    forget: (keys, below) => forgetting(keys, below),
  };
  if (!answers) return forgets;
  return {
    ...forgets,
    before: ({ group, isPeek }) => (isPeek ? undefined : denials.answerTo(group)),
    onAnswer({ group, isPeek }, answer) {
      if (isPeek) return answer;
      // One of the servers has failed, and the others have given back what they had charged.
      if (isDivided && answer.fallback !== undefined) denials.forget(group.map(({ key }) => key));
      denials.remember(group, answer);
      return answer;
    },
  };
}

function chargesAll(claim: Claim): boolean {
  return chargingOf(claim) === 'all';
}

function isBan(claim: Claim): boolean {
  return chargingOf(claim) === 'denied';
}
