import { chain } from '../async/deferred.js';
import type { MaybePromise } from '../async/maybe-promise.js';
import { mayWait } from './compile.js';
import type { Plan } from './claims/plan.js';
import type { Plans } from './tiers/plans.js';
import type { TierDefinition } from './tiers/tier-definition.js';

type Definitions<S> = readonly TierDefinition<S>[];

interface BookContext<S> {
  /** The tiers of all subjects, or what chooses them by subject. */
  readonly tiers: Definitions<S> | Plans<S>;
  readonly compile: (tiers: Definitions<S>) => Plan<S>;
}

/** What is known of the requests of a limiter before they come. */
export type LimiterFacts = Pick<PlanBook<never>, 'mayWait' | 'mayHold' | 'mayBring' | 'mayDemote' | 'isSignInLimiter'>;

/** The plans of a limiter: one for all subjects, or those of the tiers that a function chooses. */
export class PlanBook<S> {
  /** The plan of all subjects. Undefined where a function chooses the tiers. */
  fixed: Plan<S> | undefined;
  readonly #plans: Plans<S> | undefined;
  /** Of the tiers that the function has chosen. */
  #compiled = new WeakMap<Definitions<S>, Plan<S>>();
  readonly #compile: (tiers: Definitions<S>) => Plan<S>;

  constructor({ tiers, compile }: BookContext<S>) {
    this.#compile = compile;
    if (isList(tiers)) this.fixed = compile(tiers);
    else this.#plans = tiers;
  }

  /** The plan of a subject. @throws UsageError when the function fails; as a rejection where it is async */
  planFor(subject: S): MaybePromise<Plan<S>> {
    return this.fixed ?? chain(this.#plans!.tiersFor(subject), (tiers) => this.planOf(tiers));
  }

  planOf(tiers: Definitions<S>): Plan<S> {
    const known = this.#compiled.get(tiers);
    if (known) return known;
    const plan = this.#compile(tiers);
    this.#compiled.set(tiers, plan);
    return plan;
  }

  tiersFor(subject: S): MaybePromise<Definitions<S>> {
    return this.fixed?.tiers ?? this.#plans!.tiersFor(subject);
  }

  /** Of plans the tiers that the options list, or that have decided a request. */
  known(): Definitions<S> {
    return this.fixed?.tiers ?? this.#plans!.tiers();
  }

  /** The same, with each limit of a name. */
  all(): Definitions<S> {
    return this.fixed?.tiers ?? this.#plans!.all();
  }

  /** The function may choose tiers that are not known. */
  get isOpen(): boolean {
    return this.#plans?.isOpen === true;
  }

  /** A function chooses the tiers. */
  get isChosen(): boolean {
    return this.#plans !== undefined;
  }

  get isSignInLimiter(): boolean {
    return this.#plans?.isSignInLimiter ?? false;
  }

  /** A tier that is known demotes requests. */
  get mayDemote(): boolean {
    return this.known().some(({ demotes }) => demotes);
  }

  /** A request may have units that come back when it ends. */
  get mayHold(): boolean {
    return this.fixed?.mayHold ?? true;
  }

  /** A request may bring what its denial has given. */
  get mayBring(): boolean {
    return this.fixed?.mayBring ?? true;
  }

  /** A request may wait for units that end with requests. */
  mayWait(): boolean {
    return this.fixed?.mayWait ?? this.known().some(mayWait);
  }

  /** The tier of a name with the limit of an identity. @throws UsageError where that is needed, and not one of the limits */
  tierAt(tier: TierDefinition<S>, limit: number | undefined): TierDefinition<S> {
    return this.#plans?.tierAt(tier, limit) ?? tier;
  }

  /** Plans give several limits to a name. */
  isVaried(name: string): boolean {
    return this.#plans?.isVaried(name) === true;
  }

  /** Puts other tiers in the place of those of all subjects. */
  replace(tiers: Definitions<S>): void {
    this.fixed = this.#compile(tiers);
  }

  /** Compiles all plans again, because `compile` has changed. */
  compileAgain(): void {
    this.#compiled = new WeakMap();
    if (this.fixed !== undefined) this.fixed = this.#compile(this.fixed.tiers);
  }
}

function isList<S>(tiers: Definitions<S> | Plans<S>): tiers is Definitions<S> {
  return Array.isArray(tiers);
}
