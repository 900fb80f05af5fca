// limiter/ makes a limiter of tiers, and decides each request by its plan. Options enter once, then a subject for each
// request. It imports its own folders and all rooms below; of stores it knows the one in memory, which is the default.
import type { MaybePromise } from '../async/maybe-promise.js';
import type { Budgets, Inspection } from '../model/inspection.js';
import type { Decision } from '../model/decision.js';
import type { Duration } from '../model/duration.js';
import type { Policy } from '../model/policy.js';
import type { IdentityOptions, InspectOptions, Key, TierChoice } from '../model/identity.js';
import type { ConsumeOptions, CostOptions } from './tiers/arguments.js';
import type { Extension } from './decisions/extension.js';
import type { Meter, MeterOptions } from './decisions/meter.js';
import type { Costs } from './decisions/settlement.js';
import type { PreparedTiers } from './prepared-tiers.js';
import type { Tier } from './tiers/tier.js';
import type { Store } from '../stores/store.js';
import type { Answer } from '../model/answer.js';
import { checkLimiterOptions, type LimiterContext, type LimiterOptions } from './limiter-options.js';
import { TieredLimiter } from './tiered-limiter.js';

/** Decides whether a subject may go on, by tiers and a store. */
export interface Limiter<S> {
  /**
   * Charges all tiers, or none when one denies. A denial is a decision, not an error. With a memory store and functions
   * that are not async it returns the decision without a promise; `await` takes both. With any other store it always
   * returns a promise.
   *
   * An unavailable store is no error either: the decision is `degraded`.
   *
   * @throws UsageError, as a rejection, when a function of a tier fails or `cost` is not an integer
   * @throws StoreError, as a rejection, when the store was closed
   */
  consume(subject: S, options?: ConsumeOptions): MaybePromise<Decision>;
  /** The decision that `consume` would make. It changes nothing. */
  peek(subject: S, options?: CostOptions): MaybePromise<Decision>;
  /**
   * Gives back what a decision took. It never gives into another window, and never what time has given back already. A
   * decision can be refunded or settled once: the second call gives 0.
   *
   * @param units the most to give back, of each tier or of the tiers by name. @default all
   * @returns the units given back, summed over the tiers
   * @throws UsageError, as a rejection, for a decision that `consume` of this limiter has not returned
   */
  refund(decision: Decision, units?: Costs): Promise<number>;
  /**
   * Corrects a reserved cost when the real one is known: refunds the difference, or charges more, at most up to full
   * and the `overdraft` of a tier. A refund goes to where the decision was made; a charge goes to where the limiter
   * decides now.
   *
   * @param cost of the request, for all tiers without a cost of their own; or of the tiers by name
   * @returns the units charged, less the units refunded, summed over the tiers
   * @throws UsageError, as a rejection, for a decision that `consume` of this limiter has not returned
   */
  settle(decision: Decision, cost: Costs): Promise<number>;
  /**
   * Charges more for a request that runs, as often as needed until it is refunded or settled. Charges all named tiers,
   * or none when one denies. What it charges is refunded and settled with the decision.
   *
   * @param units of the tiers by name
   * @returns the decision about these units alone
   * @throws UsageError, as a rejection, for a decision that was denied, refunded or settled, or that `consume` of this
   *   limiter has not returned
   * @throws StoreError, as a rejection, when the store was closed
   * @example
   * const { allowed } = await limiter.extend(decision, { tokens: 256 });
   */
  extend(decision: Decision, units: Extension): Promise<Decision>;
  /**
   * Counts a stream while it runs: charges lots of units as they are used, and settles the decision in the end. So a
   * request reserves little, and one that disconnects pays for what it has used.
   *
   * @throws UsageError for a decision as in `extend`, for a tier that it does not have, or a lot below 1
   * @example
   * const meter = limiter.meter(decision, { tier: 'tokens', lot: 256, response });
   * for await (const chunk of answer) {
   *   response.write(chunk.text);
   *   if (!(await meter.add(chunk.tokens))) break;
   * }
   * await meter.end();
   */
  meter(decision: Decision, options: MeterOptions): Meter;
  /**
   * Ends the permits of a decision: its request runs no longer. Tiers of rates keep their units. Once, at any time,
   * also beside `refund` and `settle`; again it does nothing. HTTP adapters call it when the response closes.
   *
   * @returns the units that this process held, summed over the tiers
   * @throws UsageError, as a rejection, for a decision that `consume` of this limiter has not returned
   * @example
   * const decision = await limiter.consume(job);
   * if (decision.allowed) {
   *   try {
   *     await work(job);
   *   } finally {
   *     await limiter.release(decision);
   *   }
   * }
   */
  release(decision: Decision): Promise<number>;
  /**
   * Denies every request of a subject until a time, in all processes: by the tiers with the algorithm `pause`, or those
   * of them that are named. A pause that ends later stays. `reset` ends it.
   *
   * @param duration 1 ms to 49 days
   * @throws UsageError, as a rejection, without such a tier, or for a duration that is not one
   * @throws StoreError STORE_UNAVAILABLE, as a rejection, while the store is unavailable: then at most this process
   *   obeys the pause, and it sends it to the store when that answers again
   * @example await limiter.pause({ user: 'ada' }, '10m');
   */
  pause(subject: Partial<S>, duration: Duration, options?: TierChoice): Promise<void>;
  /**
   * Forgets what a subject has used, in all tiers but balances, or in the named ones. The subject needs only the fields
   * that its keys are made of.
   */
  reset(subject: Partial<S>, options?: TierChoice): Promise<void>;
  /**
   * What each tier has of a subject: what is left, why it admits or denies and until when, and the recorded strings. It
   * changes nothing, and reads the store, never a cache. The subject needs only the fields that its keys and limits are
   * made of.
   *
   * @example
   * const [{ outcome, fitsAt }] = await limiter.inspect({ ip: '203.0.113.7' }, { tiers: ['address'] });
   */
  inspect(subject: Partial<S>, options?: InspectOptions): Promise<readonly Inspection[]>;
  /**
   * Does the same for an identity, without a subject, which support desks need.
   *
   * @param identity what the key functions of the tiers return for it: `byIp()({ ip })`, `'account-7'`
   * @param options `partition`, for a limiter with partitions; `limit`, for tiers whose limit is a function
   * @throws UsageError for another option
   * @example
   * const account = limiter.of('account-7');
   * const [{ outcome }] = await account.inspect({ tiers: ['account'] });
   * if (!outcome.allowed) await account.reset({ tiers: ['account'] });
   */
  of(identity: Key, options?: IdentityOptions): Budgets;
  /**
   * The policies of the outcomes of a decision, in their order, to write headers of your own. Empty for a decision that
   * `consume` of this limiter has not returned.
   */
  policies(decision: Decision): readonly Policy[];
  /**
   * Checks other tiers for this limiter, and changes nothing yet: `commit` of the result puts them in force. A tier
   * that keeps its name, key, window and algorithm keeps its counts, so that a limit which moves forgets nothing. What
   * else begins with new counts is in docs/reference/policies.md, "What a change does". Decisions that were made before
   * are refunded, settled and released as ever.
   *
   * @throws ConfigError for tiers that `createLimiter` would not take, and for limits in flight in a limiter that
   * began without one
   * @throws UsageError where a function chooses the tiers
   * @example
   * const api = { name: 'api', key: byIp<{ ip: string }>(), window: '1m' };
   * const limiter = createLimiter({ tiers: [{ ...api, limit: 600 }] });
   * limiter.prepare([{ ...api, limit: 300 }]).commit();
   */
  prepare(tiers: readonly Tier<S>[]): PreparedTiers;
  /**
   * Returns leased units, ends the permits of its requests, and closes the store that the limiter has made itself.
   * Close a store of yours after it.
   */
  close(): Promise<void>;
}

/** A limiter whose store is in another process: `consume` and `peek` always return a promise. */
export interface RemoteLimiter<S> extends Limiter<S> {
  consume(subject: S, options?: ConsumeOptions): Promise<Decision>;
  peek(subject: S, options?: CostOptions): Promise<Decision>;
}

/** A store in another process: it has to become ready, or answers by promise. */
type StoreElsewhere = Store &
  ({ ready(): Promise<void> } | { consume(...group: Parameters<Store['consume']>): Promise<Answer> });

/**
 * Creates a limiter.
 *
 * @throws ConfigError that names the option, the rule and the value
 * @example
 * const limiter = createLimiter({
 *   key: byIp<{ ip: string }>(),
 *   limit: 100,
 *   window: '1m',
 * });
 * const { allowed, retryAfter } = await limiter.consume({ ip: '203.0.113.7' });
 */
export function createLimiter<S>(options: LimiterOptions<S> & { store: StoreElsewhere }): RemoteLimiter<S>;
export function createLimiter<S>(options: LimiterOptions<S>): Limiter<S>;
export function createLimiter<S>(options: LimiterOptions<S>): Limiter<S> {
  return createLimiterIn({ owner: 'limiter' }, options);
}

/** Creates a limiter from options that are not all its own. @throws ConfigError */
export function createLimiterIn<S>(context: LimiterContext<S>, options: LimiterOptions<S>): Limiter<S> {
  checkLimiterOptions(options, context);
  const { alsoAllowed = {} } = context;
  const own = Object.entries(options).filter(([name]) => !(name in alsoAllowed));
  return new TieredLimiter(Object.fromEntries(own) as unknown as LimiterOptions<S>, context);
}
