import type { MaybePromise } from '../async/maybe-promise.js';
import type { Decision } from '../model/decision.js';
import type { Policy } from '../model/policy.js';
import type { CostOptions, TierChoice } from './arguments.js';
import type { Costs } from './decisions/settlement.js';
import { checkLimiterOptions, type LimiterContext, type LimiterOptions } from './limiter-options.js';
import { TieredLimiter, type Inspection } from './tiered-limiter.js';

/** Tiers and a store: decides whether a subject may go on. */
export interface Limiter<S> {
  /**
   * Charges all tiers, or none when one denies. Denied is an answer. With a memory store and functions that are not
   * async the decision is there at once; `await` takes both.
   *
   * Rejects with UsageError when a function of a tier fails or `cost` is no integer, and with StoreError when the store
   * was closed. Of a store that cannot answer the decision tells: `degraded`.
   */
  consume(subject: S, options?: CostOptions): MaybePromise<Decision>;
  /** The decision that `consume` would make, with nothing changed. */
  peek(subject: S, options?: CostOptions): MaybePromise<Decision>;
  /**
   * Gives back what a decision took, at most `units` of each tier or of the tiers that are named, never into another
   * window and never what time has given back already. Once: a second refund or settle of the same decision gives 0.
   *
   * @returns the units given back, added up over the tiers
   */
  refund(decision: Decision, units?: Costs): Promise<number>;
  /**
   * Puts a reserved cost right when the real one is known: gives the difference back, or charges more, stopping at
   * full. What it gives back goes to where it was taken; what it charges is charged where the limiter decides now.
   * A number is the cost of the request, for all tiers without a cost of their own; an object names tiers.
   *
   * @returns the units charged besides, less those given back, added up over the tiers
   */
  settle(decision: Decision, cost: Costs): Promise<number>;
  /**
   * Forgets what a subject has used, of all tiers or of those that are named. Of the subject only what their keys are
   * made of has to be there.
   */
  reset(subject: Partial<S>, options?: TierChoice): Promise<void>;
  /** What is left for a subject, of all tiers or of those that are named, and what was recorded, newest first. */
  inspect(subject: Partial<S>, options?: TierChoice): Promise<readonly Inspection[]>;
  /**
   * The policies that the outcomes of a decision speak of, in their order: for whoever writes headers of its own. None
   * for a decision that this limiter's `consume` did not make.
   */
  policies(decision: Decision): readonly Policy[];
  /**
   * Gives back what was leased, and ends the store that the limiter made itself; one that was passed in stays open, and
   * is closed after its limiters.
   */
  close(): Promise<void>;
}

/** @throws ConfigError that names the option, the rule and the value */
export function createLimiter<S>(options: LimiterOptions<S>): Limiter<S> {
  return createLimiterIn(options, {});
}

/** A limiter among options that are not all its own. @throws ConfigError */
export function createLimiterIn<S>(
  options: LimiterOptions<S>,
  { alsoAllowed = [], ...defaults }: LimiterContext<S>,
): Limiter<S> {
  checkLimiterOptions(options, alsoAllowed);
  const own = Object.entries(options).filter(([name]) => !alsoAllowed.includes(name));
  return new TieredLimiter(Object.fromEntries(own) as unknown as LimiterOptions<S>, defaults);
}
