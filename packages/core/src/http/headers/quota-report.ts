import { toSeconds } from '../../model/duration.js';
import { bindingOf } from '../../model/decision.js';
import type { Outcome } from '../../model/outcome.js';
import type { GateDecision } from '../gate/request-state.js';
import { bindingQuota, quotasOf, type QuotaPolicy } from './quota-policy.js';
import { retryAfterOf } from './retry-after.js';
import { reportedTiers, type ReportedTier } from './reported-tiers.js';

/** What is left of one tier, in the words of headers. */
export interface ServiceLimit {
  readonly quota: QuotaPolicy;
  /** Units that are left; 0 of a tier that denies. */
  readonly remaining: number;
  /** Seconds that they have to last, or until there is one more. Undefined where waiting does not help. */
  readonly time: number | undefined;
}

/** Where a request stands with all limiters that have counted it. */
export class QuotaReport {
  /** The outcome to wait for, or closest to denying, over all limiters. */
  readonly binding: Outcome;
  readonly #counted: readonly GateDecision[];
  #told: readonly ReportedTier[] | undefined;

  private constructor(counted: readonly GateDecision[], binding: Outcome) {
    this.#counted = counted;
    this.binding = binding;
  }

  /** Undefined where there is nothing to tell: no tier applied, or none that is enforced. */
  static of(counted: readonly GateDecision[]): QuotaReport | undefined {
    // Nearly always one limiter has decided.
    const binding =
      counted.length === 1
        ? counted[0]!.decision.binding
        : bindingOf(counted.flatMap(({ decision }) => decision.binding ?? []));
    return binding && new QuotaReport(counted, binding);
  }

  /** Units that are left of the binding tier; 0 when it denies. */
  get remaining(): number {
    return shown(this.binding);
  }

  /**
   * Milliseconds until it is worth coming back: until the request is admitted, else until there is a unit, else until
   * all is there.
   */
  get resetAfter(): number {
    const { allowed, never, replenishAfter, resetAfter } = this.binding;
    if (!allowed && !never) return retryAfterOf(this.binding)! * 1_000;
    return this.remaining === 0 ? replenishAfter : resetAfter;
  }

  /** The quota of the binding tier. */
  get quota(): QuotaPolicy {
    return quotaShown(this.#tiers().find((told) => told.outcome === this.binding)!);
  }

  /** The quotas of all tiers that are enforced. */
  quotas(): readonly QuotaPolicy[] {
    return this.#tiers().flatMap(({ label, policy, outcome }) => quotasOf(label, policy, outcome.limit));
  }

  /** What is left of all tiers that are enforced. */
  shares(): readonly ServiceLimit[] {
    return this.#tiers().map((told) => {
      const quota = quotaShown(told);
      return { quota, remaining: shown(told.outcome), time: timeOf(told, quota) };
    });
  }

  #tiers(): readonly ReportedTier[] {
    this.#told ??= reportedTiers(this.#counted);
    return this.#told;
  }
}

/** Quota names of the tiers that deny. */
export function violatedQuotas(counted: readonly GateDecision[]): readonly string[] {
  // Those that headers tell of come first, so that they are called here as they are called there.
  const silent = ({ dialects }: GateDecision) => dialects.length === 0;
  const ordered =
    counted.length > 1 && counted.some(silent)
      ? [...counted.filter((each) => !silent(each)), ...counted.filter(silent)]
      : counted;
  const tiers = reportedTiers(ordered);
  return tiers.filter(({ outcome }) => !outcome.allowed).map((told) => quotaShown(told).name);
}

function quotaShown({ label, policy, outcome }: ReportedTier): QuotaPolicy {
  return bindingQuota(label, policy, outcome.limit);
}

function shown(outcome: Outcome): number {
  return outcome.allowed ? outcome.remaining : 0;
}

/** Undefined where waiting does not help. */
function timeOf({ outcome, policy }: ReportedTier, quota: QuotaPolicy): number | undefined {
  if (outcome.never || quota.units === 0) return undefined;
  if (policy.algorithm !== 'fixed-window') return spreadTime(outcome, quota);
  // A window that has not begun has all its time left. One that has ends with a whole grain, and can last a part of one
  // longer than it is told to.
  return Math.min(quota.window, endOf(outcome) || quota.window);
}

function spreadTime(outcome: Outcome, { units, window }: QuotaPolicy): number {
  const left = shown(outcome);
  return left === 0 ? endOf(outcome) : Math.ceil((left * window) / units);
}

/** Seconds until the request fits, else until there is a unit, else until all is there. */
function endOf(outcome: Outcome): number {
  if (!outcome.allowed) return retryAfterOf(outcome)!;
  return toSeconds(outcome.remaining === 0 ? outcome.replenishAfter : outcome.resetAfter);
}
