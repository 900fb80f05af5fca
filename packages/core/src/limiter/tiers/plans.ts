import { isPromise } from '../../async/deferred.js';
import type { MaybePromise } from '../../async/maybe-promise.js';
import { warn } from '../../events/warning.js';
import { UsageError, type ConfigError } from '../../model/errors.js';
import { functionFailed } from '../claims/call-user-function.js';
import type { TierContext } from './tier-context.js';
import type { TierDefinition } from './tier-definition.js';
import { registeredTiers } from './tier-names.js';
import { defineTiers } from './tier-set.js';
import type { Tier } from './tier.js';

/** Tiers for all subjects, or plans: a function that returns the tiers of a subject, from arrays that exist once. */
export type Tiers<S> = readonly Tier<S>[] | ((subject: S) => MaybePromise<readonly Tier<S>[]>);

/** More arrays than an application has plans: its function makes one for each request. */
const MAX_PLANS = 100;

type Definitions<S> = readonly TierDefinition<S>[];

/** The tiers of the plans that a function of the application chooses. Each array is checked once. */
export class Plans<S> {
  readonly #choose: (subject: S) => MaybePromise<readonly Tier<S>[]>;
  readonly #context: TierContext<S>;
  readonly #defined = new WeakMap<readonly Tier<S>[], Definitions<S>>();
  #count = 0;

  constructor(choose: (subject: S) => MaybePromise<readonly Tier<S>[]>, context: TierContext<S>) {
    this.#choose = choose;
    this.#context = context;
  }

  /** @throws UsageError when the function fails or its tiers are invalid; as a rejection where it is async */
  tiersFor(subject: S): MaybePromise<Definitions<S>> {
    try {
      const plan = this.#choose(subject);
      if (!isPromise(plan)) return this.#define(plan);
      return Promise.resolve(plan).then(
        (tiers) => this.#define(tiers),
        (cause: unknown) => Promise.reject(this.#failure(cause, subject)),
      );
    } catch (cause) {
      throw this.#failure(cause, subject);
    }
  }

  /** The tiers of the plans that have decided a request, each name once. */
  tiers(): Definitions<never> {
    return registeredTiers(this.#context);
  }

  #define(tiers: readonly Tier<S>[]): Definitions<S> {
    const known = this.#defined.get(tiers);
    if (known) return known;
    // A plan without tiers is unlimited, like a limit of null.
    if (Array.isArray(tiers) && tiers.length === 0) return [];
    try {
      const defined = defineTiers(tiers, this.#context);
      this.#defined.set(tiers, defined);
      this.#count += 1;
      if (this.#count === MAX_PLANS) warnOfNewArrays(this.#context.owner);
      return defined;
    } catch (cause) {
      const { message } = cause as ConfigError;
      const what = `${this.#context.owner}: the function tiers`;
      throw new UsageError('FUNCTION_FAILED', `${what} returned invalid tiers: ${message}`, { cause });
    }
  }

  #failure(cause: unknown, subject: unknown): UsageError {
    const what = `${this.#context.owner}: the function tiers`;
    return cause instanceof UsageError ? cause : functionFailed(what, cause, subject);
  }
}

function warnOfNewArrays(owner: string): void {
  warn(
    'SLUICE_TIERS_NOT_REUSED',
    `${owner}: the function tiers has returned ${MAX_PLANS} different arrays, and each is checked again: create the array of each plan once, and return the same one`,
  );
}
