import { UsageError, type ConfigError } from '../../model/errors.js';
import { isPromise } from '../../async/maybe-promise.js';
import type { MaybePromise } from '../../async/maybe-promise.js';
import type { TierDefinition } from './tier-definition.js';
import type { TierContext } from './tier-context.js';
import { defineTiers } from './tier-set.js';
import type { Tiers } from '../limiter-options.js';
import type { Tier } from './tier.js';
import { warn } from '../../events/warning.js';

/** So many plans are made anew for each request rather than chosen. */
const MAX_PLANS = 100;

type Definitions<S> = readonly TierDefinition<S>[];

/** Which tiers apply to a subject: always the same, or those of its plan. Each array of tiers is checked once. */
export class Plans<S> {
  readonly #owner: TierContext<S>;
  readonly #choose: ((subject: S) => MaybePromise<readonly Tier<S>[]>) | undefined;
  readonly #fixed: Definitions<S> | undefined;
  #count = 0;
  readonly #defined = new WeakMap<readonly Tier<S>[], Definitions<S>>();

  /** @throws ConfigError */
  constructor(tiers: Tiers<S>, owner: TierContext<S>) {
    this.#owner = owner;
    if (typeof tiers === 'function') this.#choose = tiers;
    else this.#fixed = defineTiers(tiers, owner);
  }

  /** The names of all tiers, where they are always the same: a plan that nobody has had yet is not known. */
  get names(): readonly string[] | undefined {
    return this.#fixed?.map(({ name }) => name);
  }

  /** Throws or rejects with UsageError when the plan cannot be told or cannot work. */
  tiersFor(subject: S): MaybePromise<Definitions<S>> {
    if (this.#fixed) return this.#fixed;
    try {
      const plan = this.#choose!(subject);
      if (!isPromise(plan)) return this.#define(plan);
      const told = Promise.resolve(plan).catch((cause: unknown) => Promise.reject(failure(cause)));
      return told.then((tiers) => this.#define(tiers));
    } catch (cause) {
      throw failure(cause);
    }
  }

  #define(tiers: readonly Tier<S>[]): Definitions<S> {
    const known = this.#defined.get(tiers);
    if (known) return known;
    // To a plan without tiers no limit applies, as a limit of null applies to nobody.
    if (Array.isArray(tiers) && tiers.length === 0) return [];
    try {
      const defined = defineTiers(tiers, this.#owner);
      this.#defined.set(tiers, defined);
      this.#count += 1;
      if (this.#count === MAX_PLANS) warnOfNewArrays();
      return defined;
    } catch (cause) {
      const { message } = cause as ConfigError;
      throw new UsageError('FUNCTION_FAILED', `limiter: the function tiers returned what cannot work: ${message}`, {
        cause,
      });
    }
  }
}

function warnOfNewArrays(): void {
  warn(
    'SLUICE_TIERS_NOT_REUSED',
    `limiter: the function tiers has returned ${MAX_PLANS} different arrays, and each is checked anew: return arrays that exist once`,
  );
}

function failure(cause: unknown): UsageError {
  return cause instanceof UsageError
    ? cause
    : new UsageError('FUNCTION_FAILED', 'limiter: the function tiers failed', { cause });
}
