import {
  createLimiter,
  limitersOf,
  memoryStore,
  type Decision,
  type Identity,
  type Limiter,
  type Policy,
  type Tier,
} from '@sluice/core';
import { usage } from '../failure/failure.js';
import type { AnyTier } from './any-tier.js';

/** What functions of tiers get. */
export interface Subject {
  readonly client: {
    /** Its identity for one of several limiters. */
    readonly identityFor: (limiter: number) => Identity;
  };
}

/** The most that a memory store takes. A key that was removed would begin again. */
const MAX_KEYS = 2 ** 24;

/** What one tier has decided. */
export interface TierCounts {
  readonly name: string;
  readonly shadow: boolean;
  /** Units that it allows; undefined for a function. */
  readonly limit: number | undefined;
  /** Milliseconds. */
  readonly window: number;
  /** The pace that it allows for ever: `every` are the milliseconds of a unit. Undefined for a function. */
  readonly rate: { readonly limit: number; readonly every: number } | undefined;
  denied: number;
}

/** Limits on another clock than that of this machine: a limiter as applications have it, with a memory store. */
export class Trial<S extends Subject> {
  denied = 0;
  readonly tiers: readonly TierCounts[];
  readonly #limiter: Limiter<S>;
  readonly #byName: ReadonlyMap<string, TierCounts>;
  readonly #hasShadows: boolean;
  #now = 0;

  /** @param place among the limiters that see the same clients @throws ConfigError of core */
  constructor(tiers: readonly AnyTier<S>[], place = 0) {
    const store = memoryStore({ clock: () => this.#now, maxKeys: MAX_KEYS });
    const key = ({ client }: S) => client.identityFor(place);
    const keyed = tiers.map((tier) => ({ key, ...tier })) as unknown as readonly Tier<S>[];
    this.#limiter = createLimiter({ store, tiers: keyed });
    const [view] = limitersOf(store);
    this.tiers = view!.tiers.map(({ name, shadow, limit, policy }) => ({
      name,
      shadow,
      limit: limit === 'by-request' ? undefined : unitsOf(policy),
      window: windowOf(policy) / 1e3,
      rate: limit === 'by-request' || policy.algorithm.neverRefills ? undefined : rateOf(policy),
      denied: 0,
    }));
    this.#byName = new Map(this.tiers.map((tier) => [tier.name, tier]));
    this.#hasShadows = this.tiers.some(({ shadow }) => shadow);
  }

  /** @param time milliseconds since 1970 @throws UsageError for a function of a tier that is async or fails */
  decide(subject: S, time: number, cost: number): Decision {
    this.#now = time;
    const decision = cost === 1 ? this.#limiter.consume(subject) : this.#limiter.consume(subject, { cost });
    if (decision instanceof Promise) throw new AsyncTierError(decision);
    if (!decision.allowed) this.denied += 1;
    if (!decision.allowed || this.#hasShadows) {
      for (const { tier, allowed } of decision.outcomes) if (!allowed) this.#byName.get(tier)!.denied += 1;
    }
    return decision;
  }
}

/** A trial adds no credit to a balance. */
function unitsOf({ algorithm, quota }: Policy): number {
  return algorithm.neverRefills ? 0 : quota;
}

const DAY = 8.64e10;
/** The longest of each, in microseconds. */
const PERIODS = { day: DAY, week: 7 * DAY, month: 31 * DAY, year: 366 * DAY };

/** Periods differ, and a trial is about no time. */
function windowOf({ window, calendar }: Policy): number {
  return calendar === undefined ? window : PERIODS[calendar.period];
}

/** Of several windows the slowest. */
function rateOf(policy: Policy): { limit: number; every: number } {
  const { limit, windows = [{ limit, window: windowOf(policy) }] } = policy;
  const rates = windows.map((each) => ({ limit: each.limit, every: each.window / each.limit / 1e3 }));
  return rates.reduce((slowest, each) => (each.every > slowest.every ? each : slowest));
}

/** Runs what decides with trials. @throws Failure for tiers with async functions, and what a function has thrown */
export async function decidedInOrder<T>(run: () => T | Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof AsyncTierError)) throw error;
    // A function that has failed says why.
    await error.decision;
    throw usage(error.message);
  }
}

/** A tier whose functions cannot be called in the order of requests. */
class AsyncTierError extends Error {
  /** Rejected if the function has failed. */
  readonly decision: Promise<Decision>;

  constructor(decision: Promise<Decision>) {
    super('functions of tiers must not be async here: requests are decided in order');
    // It is handled where the error is.
    decision.catch(() => undefined);
    this.decision = decision;
  }
}
