import { bindingOf, isAppointed, isSilent, type Outcome } from '@sluice/core/internal';
import { bindingPolicyOf, quotaPoliciesOf, type QuotaPolicy } from './quota-policy.js';
import { reportedTiers, type LimiterDecision, type ReportedTier } from './reported-tiers.js';
import { unitQuotas, type UnitQuota } from './unit-quotas.js';

/** The rest of one tier, as `RateLimit` reports it. */
export interface ServiceLimit {
  readonly policy: QuotaPolicy;
  /** Units left; 0 if the tier denies. */
  readonly remaining: number;
  /** Seconds that these units have to last, or until the next unit. Undefined where waiting does not help. */
  readonly window: number | undefined;
}

/** What headers report of a request, over all its limiters. */
export class QuotaReport {
  /** The outcome that a client has to wait for, or that is closest to denying. */
  readonly binding: Outcome;
  readonly #decisions: readonly LimiterDecision[];
  #cachedTiers: readonly ReportedTier[] | undefined;

  private constructor(decisions: readonly LimiterDecision[], binding: Outcome) {
    this.#decisions = decisions;
    this.binding = binding;
  }

  /** Undefined if no enforced tier applied. */
  static of(decisions: readonly LimiterDecision[]): QuotaReport | undefined {
    const binding =
      decisions.length === 1
        ? decisions[0]!.decision.binding
        : bindingOf(decisions.flatMap(({ decision }) => decision.binding ?? []));
    return binding && new QuotaReport(decisions, binding);
  }

  /** False if pauses are all that there is to report, and they admit. */
  get hasTiers(): boolean {
    return this.#tiers.length > 0;
  }

  /** Units left of the binding tier; 0 if it denies. */
  get remaining(): number {
    return remainingOf(this.binding);
  }

  /** Milliseconds, as `resetAfterOf` returns them. */
  get resetAfter(): number {
    return resetAfterOf(this.binding);
  }

  /** The same in seconds, for a header that has the window beside it. */
  get resetSeconds(): number {
    const seconds = toSeconds(this.resetAfter);
    // A fixed window ends on a whole tick, so up to a tick late: a client of a full budget would read a second too
    // many.
    const isWindow = this.#bindingTier.policy.algorithm.refill === 'together';
    return isWindow && this.binding.allowed ? Math.min(seconds, this.policy.window!) : seconds;
  }

  /** The policy of the binding tier. */
  get policy(): QuotaPolicy {
    return policyOf(this.#bindingTier);
  }

  /** The policies of all enforced tiers. */
  get policies(): readonly QuotaPolicy[] {
    return this.#tiers.flatMap(({ name, policy, outcome }) => quotaPoliciesOf(name, policy, outcome));
  }

  /** The rest of all enforced tiers. */
  get serviceLimits(): readonly ServiceLimit[] {
    return this.#tiers.map((tier) => {
      const policy = policyOf(tier);
      return { policy, remaining: reportedRemaining(tier.outcome), window: windowOf(tier, policy) };
    });
  }

  /** What is left of the enforced tiers, by their units. */
  get units(): readonly UnitQuota[] {
    return unitQuotas(this.#tiers);
  }

  get #bindingTier(): ReportedTier {
    return this.#tiers.find(({ outcome }) => outcome === this.binding)!;
  }

  get #tiers(): readonly ReportedTier[] {
    this.#cachedTiers ??= reportedTiers(this.#decisions);
    return this.#cachedTiers;
  }
}

function policyOf({ name, policy, outcome }: ReportedTier): QuotaPolicy {
  return bindingPolicyOf(name, policy, outcome);
}

/** Units left; 0 if the tier denies. */
export function remainingOf(outcome: Outcome): number {
  return outcome.allowed ? outcome.remaining : 0;
}

/** Milliseconds until the request is admitted, else until the next unit, else until the budget is full. */
export function resetAfterOf(binding: Outcome): number {
  const isWaiting = !binding.allowed && binding.retryAfter !== Infinity;
  if (isWaiting) return binding.retryAfter;
  return remainingOf(binding) === 0 ? binding.replenishAfter : binding.resetAfter;
}

/** A tier in whose place a balance has paid is used up. */
function reportedRemaining(outcome: Outcome): number {
  return outcome.coveredBy === undefined ? remainingOf(outcome) : 0;
}

function windowOf({ outcome, policy }: ReportedTier, { quota, window }: QuotaPolicy): number | undefined {
  if (outcome.retryAfter === Infinity || window === undefined || policy.algorithm.endsWithRequest) return undefined;
  if (isSilent(outcome) && outcome.coveredBy === undefined) return undefined;
  if (quota === 0) return outcome.allowed ? undefined : secondsOf(outcome);
  // A moment of its own may be in a later window.
  if (isAppointed(outcome)) return secondsOf(outcome);
  if (policy.algorithm.refill === 'together') {
    // A window that has not begun has all its time left. A begun one ends on a whole tick, so up to a tick late.
    return Math.min(window, secondsOf(outcome) || window);
  }
  // A rate of remaining / window must not exceed the rate of the policy.
  const remaining = reportedRemaining(outcome);
  return remaining === 0 ? secondsOf(outcome) : Math.ceil((remaining * window) / quota);
}

/** Seconds until the request is admitted, else until the next unit, else until the budget is full. */
function secondsOf(outcome: Outcome): number {
  if (!outcome.allowed) return retryAfterOf(outcome)!;
  return toSeconds(reportedRemaining(outcome) === 0 ? outcome.replenishAfter : outcome.resetAfter);
}

/**
 * The value of `Retry-After` in seconds, at least 1 because clients retry immediately on 0. Undefined where waiting
 * does not help.
 */
export function retryAfterOf({ retryAfter }: { readonly retryAfter: number }): number | undefined {
  return retryAfter === Infinity ? undefined : Math.max(1, toSeconds(retryAfter));
}

/** The value of `retry-after-ms`, at least 1. @param retryAfter whole milliseconds */
export function retryAfterMsOf({ retryAfter }: { readonly retryAfter: number }): number {
  return Math.max(1, retryAfter);
}

/** Seconds of a header. Rounded up, so that a client that waits them is admitted. */
export function toSeconds(milliseconds: number): number {
  return Math.ceil(milliseconds / 1e3);
}
