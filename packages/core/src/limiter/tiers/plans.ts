import { isPromise } from '../../async/deferred.js';
import type { MaybePromise } from '../../async/maybe-promise.js';
import { warn } from '../../events/warning.js';
import type { Decision } from '../../model/decision.js';
import { StoreError, UsageError, type ConfigError } from '../../model/errors.js';
import { functionFailed } from './call-user-function.js';
import type { TierContext } from './tier-context.js';
import type { TierDefinition } from './tier-definition.js';
import { defineTiers } from './define-tiers.js';
import { nameTaken } from './tier-names.js';
import type { Tier } from './tier.js';

/** Tiers for all subjects, or plans: a function that returns the tiers of a subject, from arrays that exist once. */
export type Tiers<S> = readonly Tier<S>[] | TierFunction<S>;

/** Returns the tiers of a subject. */
export interface TierFunction<S> {
  (subject: S, limiter: TierReader<S>): MaybePromise<readonly Tier<S>[]>;
  /**
   * All arrays that it returns. Their tiers are checked at the start, and operators see them before a request has met them.
   * The option `plans` of a limiter wins.
   */
  readonly plans?: readonly (readonly Tier<S>[])[];
  /** Of `loginTiers`: what is left of its tiers is no business of the client. */
  readonly isSignIn?: true;
}

/** The limiter that calls a function of tiers. */
export interface TierReader<S> {
  /** What these tiers would decide about a subject, in one call to the store. It changes nothing. */
  peek(tiers: readonly Tier<S>[], subject: S): MaybePromise<Decision>;
}

/** More arrays than an application has plans: its function makes one for each request. */
const MAX_PLANS = 100;
const BY_REQUEST = 'by-request';

type PlanList<S> = readonly (readonly Tier<S>[])[];
type Definitions<S> = readonly TierDefinition<S>[];
type Peek<S> = (tiers: Definitions<S>, subject: S) => MaybePromise<Decision>;

/** The tiers of the plans that a function of the application chooses. Each array is checked once. */
export class Plans<S> {
  readonly #choose: TierFunction<S>;
  readonly #reader: TierReader<S>;
  readonly #context: TierContext<S>;
  readonly #defined = new WeakMap<readonly Tier<S>[], Definitions<S>>();
  /** Of each name the tiers of the plans that are known, by their limits, the latest last. */
  readonly #known = new Map<string, Map<number | typeof BY_REQUEST, TierDefinition<S>>>();
  /** The function may return other arrays. */
  readonly isOpen: boolean;
  #hasWarned = false;
  #count = 0;

  /**
   * @param peek decides by tiers, and changes nothing
   * @param plans all arrays that the function returns. @default those that it names
   * @throws ConfigError for an array that is no plan
   */
  constructor(
    choose: TierFunction<S>,
    context: TierContext<S>,
    { peek, plans = choose.plans }: { readonly peek: Peek<S>; readonly plans?: PlanList<S> | undefined },
  ) {
    this.#choose = choose;
    this.#context = context;
    this.#reader = { peek: (tiers, subject) => peek(this.#define(tiers), subject) };
    this.isOpen = plans === undefined;
    for (const plan of plans ?? []) this.#add(plan);
  }

  get isSignInLimiter(): boolean {
    return this.#choose.isSignIn === true;
  }

  /** @throws UsageError when the function fails or its tiers are invalid; as a rejection where it is async */
  tiersFor(subject: S): MaybePromise<Definitions<S>> {
    try {
      const plan = this.#choose(subject, this.#reader);
      if (!isPromise(plan)) return this.#chosen(plan);
      return Promise.resolve(plan).then(
        (tiers) => this.#chosen(tiers),
        (cause: unknown) => Promise.reject(this.#failure(cause, subject)),
      );
    } catch (cause) {
      throw this.#failure(cause, subject);
    }
  }

  /** The tiers of the plans that are known. Each name occurs once, with its latest tier. */
  tiers(): Definitions<S> {
    return [...this.#known.values()].map((byLimit) => [...byLimit.values()].at(-1)!);
  }

  /** The same, with each limit of a name. */
  all(): Definitions<S> {
    return [...this.#known.values()].flatMap((byLimit) => [...byLimit.values()]);
  }

  /** True for a name with several limits. */
  isVaried(name: string): boolean {
    return this.#known.get(name)!.size > 1;
  }

  /**
   * The tier of a name at a limit, for an identity whose plan is not known.
   *
   * @throws UsageError for a name with several limits, where `limit` is not one of them
   */
  tierAt({ name, owner }: TierDefinition<never>, limit: number | undefined): TierDefinition<S> {
    const byLimit = this.#known.get(name)!;
    const found = byLimit.get(limit ?? BY_REQUEST) ?? byLimit.get(BY_REQUEST);
    if (found) return found;
    const [only, ...others] = byLimit.values();
    if (others.length === 0) return only!;
    const limits = [...byLimit.keys()].join(', ');
    const got = limit === undefined ? '' : `, got ${limit}`;
    const remedy = 'pass the limit of this identity as limit, or name other tiers';
    throw new UsageError('USAGE_INVALID', `${owner}: plans give it the limits ${limits}${got}: ${remedy}`);
  }

  /** @throws UsageError */
  #chosen(tiers: readonly Tier<S>[]): Definitions<S> {
    const known = this.#defined.get(tiers);
    if (known) return known;
    const defined = this.#define(tiers);
    // A plan without tiers has nothing that an operator could miss.
    if (!this.isOpen && !this.#hasWarned && defined.length > 0) {
      this.#hasWarned = true;
      warnOfUnlisted(this.#context.owner, defined);
    }
    return defined;
  }

  /** @throws UsageError */
  #define(tiers: readonly Tier<S>[]): Definitions<S> {
    const known = this.#defined.get(tiers);
    if (known) return known;
    try {
      const defined = this.#add(tiers);
      if (defined.length > 0) this.#count += 1;
      if (this.#count === MAX_PLANS) warnOfNewArrays(this.#context.owner);
      return defined;
    } catch (cause) {
      const { message } = cause as ConfigError;
      const what = `${this.#context.owner}: the function tiers`;
      throw new UsageError('FUNCTION_FAILED', `${what} returned invalid tiers: ${message}`, { cause });
    }
  }

  /** @throws ConfigError */
  #add(tiers: readonly Tier<S>[]): Definitions<S> {
    // A plan without tiers is unlimited, like a limit of null.
    const defined = Array.isArray(tiers) && tiers.length === 0 ? [] : defineTiers(tiers, this.#context);
    for (const tier of defined) this.#checkName(tier);
    this.#defined.set(tiers, defined);
    for (const tier of defined) this.#remember(tier);
    return defined;
  }

  /** Plans may give a name several limits, so that a client that changes its plan keeps its usage. @throws ConfigError */
  #checkName(tier: TierDefinition<S>): void {
    const [known] = this.#known.get(tier.name)?.values() ?? [];
    if (known !== undefined && known.policy.dimensions !== tier.policy.dimensions) throw nameTaken(tier);
  }

  #remember(tier: TierDefinition<S>): void {
    const byLimit = this.#known.get(tier.name) ?? new Map<number | typeof BY_REQUEST, TierDefinition<S>>();
    const limit = typeof tier.limit === 'function' ? BY_REQUEST : tier.policy.limit;
    byLimit.delete(limit);
    byLimit.set(limit, tier);
    if (byLimit.size > MAX_PLANS) byLimit.delete(byLimit.keys().next().value!);
    this.#known.set(tier.name, byLimit);
  }

  #failure(cause: unknown, subject: unknown): UsageError | StoreError {
    const what = `${this.#context.owner}: the function tiers`;
    // Of the limiter that the function has called.
    if (cause instanceof UsageError || cause instanceof StoreError) return cause;
    return functionFailed(what, { cause, subject, call: this.#choose });
  }
}

function warnOfUnlisted(owner: string, plan: Definitions<never>): void {
  const names = plan.map(({ name }) => `"${name}"`).join(', ');
  warn(
    'SLUICE_PLAN_NOT_LISTED',
    `${owner}: the function tiers has returned a plan that plans does not list, with the tiers ${names}: it is checked at its first request, and operators do not see it before. Add its array to plans`,
    `${owner} ${names}`,
  );
}

function warnOfNewArrays(owner: string): void {
  warn(
    'SLUICE_TIERS_NOT_REUSED',
    `${owner}: the function tiers has returned ${MAX_PLANS} different arrays, and each is checked again: create the array of each plan once, and return the same one`,
  );
}
