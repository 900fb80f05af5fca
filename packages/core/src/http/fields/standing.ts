import { toSeconds } from '../../model/duration.js';
import { bindingOf } from '../../model/decision.js';
import type { Outcome } from '../../model/outcome.js';
import type { Counted } from '../passage.js';
import { bindingQuota, quotasOf, type Quota } from './quota.js';
import { retryAfterOf } from './retry-after.js';
import { toldTiers, type ToldTier } from './told-tier.js';

/** What is left of one tier, in the words of headers. */
export interface Share {
  readonly quota: Quota;
  /** Units that are left; 0 of a tier that denies. */
  readonly remaining: number;
  /** Seconds that they have to last, or until there is one more. Undefined where waiting does not help. */
  readonly time: number | undefined;
}

/** Where a request stands with all limiters that have counted it. */
export class Standing {
  /** The outcome to wait for, or closest to denying, over all limiters. */
  readonly binding: Outcome;
  readonly #counted: readonly Counted[];
  #told: readonly ToldTier[] | undefined;

  private constructor(counted: readonly Counted[], binding: Outcome) {
    this.#counted = counted;
    this.binding = binding;
  }

  /** Undefined where there is nothing to tell: no tier applied, or none that is enforced. */
  static of(counted: readonly Counted[]): Standing | undefined {
    // Nearly always one limiter has decided.
    const binding =
      counted.length === 1
        ? counted[0]!.decision.binding
        : bindingOf(counted.flatMap(({ decision }) => decision.binding ?? []));
    return binding && new Standing(counted, binding);
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
  get quota(): Quota {
    return quotaShown(this.#tiers().find((told) => told.outcome === this.binding)!);
  }

  /** The quotas of all tiers that are enforced. */
  quotas(): readonly Quota[] {
    return this.#tiers().flatMap(({ label, policy, outcome }) => quotasOf(label, policy, outcome.limit));
  }

  /** What is left of all tiers that are enforced. */
  shares(): readonly Share[] {
    return this.#tiers().map((told) => {
      const quota = quotaShown(told);
      return { quota, remaining: shown(told.outcome), time: timeOf(told, quota) };
    });
  }

  #tiers(): readonly ToldTier[] {
    this.#told ??= toldTiers(this.#counted);
    return this.#told;
  }
}

/** Quota names of the tiers that deny. */
export function violatedQuotas(counted: readonly Counted[]): readonly string[] {
  // Those that headers tell of come first, so that they are called here as they are called there.
  const silent = ({ dialects }: Counted) => dialects.length === 0;
  const ordered =
    counted.length > 1 && counted.some(silent)
      ? [...counted.filter((each) => !silent(each)), ...counted.filter(silent)]
      : counted;
  const tiers = toldTiers(ordered);
  return tiers.filter(({ outcome }) => !outcome.allowed).map((told) => quotaShown(told).name);
}

function quotaShown({ label, policy, outcome }: ToldTier): Quota {
  return bindingQuota(label, policy, outcome.limit);
}

function shown(outcome: Outcome): number {
  return outcome.allowed ? outcome.remaining : 0;
}

/** Undefined where waiting does not help. */
function timeOf({ outcome, policy }: ToldTier, quota: Quota): number | undefined {
  if (outcome.never || quota.units === 0) return undefined;
  if (policy.algorithm !== 'fixed-window') return spreadTime(outcome, quota);
  // A window that has not begun has all its time left. One that has ends with a whole grain, and can last a part of one
  // longer than it is told to.
  return Math.min(quota.window, endOf(outcome) || quota.window);
}

function spreadTime(outcome: Outcome, { units, window }: Quota): number {
  const left = shown(outcome);
  return left === 0 ? endOf(outcome) : Math.ceil((left * window) / units);
}

/** Seconds until the request fits, else until there is a unit, else until all is there. */
function endOf(outcome: Outcome): number {
  if (!outcome.allowed) return retryAfterOf(outcome)!;
  return toSeconds(outcome.remaining === 0 ? outcome.replenishAfter : outcome.resetAfter);
}
