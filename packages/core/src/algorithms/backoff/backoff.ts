// backoff/ bans a key for longer after each strike. Strikes, a cost and a time enter. It imports the algorithms' shared
// files.
import { RATE_FACTS } from '../../model/algorithm-facts.js';
import type { Duration } from '../../model/duration.js';
import type { Policy } from '../../model/policy.js';
import type { DurationRange } from '../../options/duration-rule.js';
import { type OptionRows, withoutMeaning } from '../../options/option-row.js';
import type { Algorithm, Charge, Refund, NamedAlgorithm } from '../algorithm.js';
import { type Rate, RATE_OPTIONS } from '../rate.js';
import { toMilliseconds } from '../tick.js';

export interface BackoffOptions<Limit = number> extends Rate<Limit> {
  /** `'backoff'` counts strikes, such as failed sign-ins, and blocks for longer after each. A success forgives them. */
  algorithm: 'backoff';
  /**
   * How long each strike above the limit blocks, from 1 ms to the window: 1 to 16 durations. The last one repeats.
   *
   * @example delays: ['30s', '1m', '5m', '15m', '1h']
   */
  delays: readonly Duration[];
  /**
   * The number of strikes from which the key is blocked for a whole `window`. It is above `limit`, and at most 1 000.
   *
   * @default never
   */
  lockAt?: number;
  /**
   * What a refund forgives. `'all'` forgives every strike, which is for an account. `'one'` forgives the strikes of the
   * request, which is for an address that many clients share. The option is required, because neither value is safe for
   * both. A tier with `charge: 'denied'` must not have it, because nothing forgives a ban.
   */
  forgive?: 'one' | 'all';
}

export interface BackoffPolicy extends Policy {
  /** In milliseconds, as all times of the state. */
  readonly span: number;
  readonly delays: readonly number[];
  /** Undefined without a lock. */
  readonly lockAt: number | undefined;
  readonly forgivesAll: boolean;
}

/** When the latest strike was added, and how many there are. */
type Strikes = readonly [last: number, count: number];

const STRIKE_RANGE = 1_024;
const MAX_STRIKES = 1_000;
const MAX_DELAYS = 16;
const NONE: Strikes = [0, 0];
const DELAY: DurationRange = { range: '1 ms to the window', max: 3.456e13, example: "30000 or '30s'" };

const OPTIONS = {
  ...RATE_OPTIONS,
  limit: { code: 'LIMIT_INVALID', integer: [0, MAX_STRIKES - 1], required: true },
  delays: {
    is: (given) => Array.isArray(given) && given.length > 0 && given.length <= MAX_DELAYS,
    words: `an array of 1 to ${MAX_DELAYS} durations, such as ['30s', '5m', '1h']`,
    required: true,
  },
  lockAt: { integer: [1, MAX_STRIKES] },
  forgive: { oneOf: ['one', 'all'], required: true },
} as const satisfies OptionRows;

/** A ban charges what is denied. */
const TIER_OPTIONS: OptionRows = {
  charge: {
    oneOf: ['admitted', 'denied'],
    words: "'admitted' or 'denied' here: a denied request adds no strike",
    otherwise: 'admitted',
  },
};

/**
 * Counts strikes, and blocks for longer after each one above the limit. A request adds its strike when it is admitted, and
 * a refund forgives it: so parallel guesses cannot all slip through. A denied request adds none. Without a forgiveness,
 * the k-th request after `limit` + 1 comes no sooner than the first k delays after it.
 */
export const backoff: Algorithm<BackoffPolicy, Strikes> & NamedAlgorithm<'backoff'> = {
  ...RATE_FACTS,
  refill: undefined,
  denialsLast: false,
  name: 'backoff',
  code: 'bo',
  keyType: 'string',
  twin: 'bo',
  options: OPTIONS,
  tierOptions: TIER_OPTIONS,
  rules: [
    ...withoutMeaning(['usage'], 'backoff, which counts strikes'),
    {
      option: 'forgive',
      beside: 'charge',
      rule: "cannot be combined with charge: 'denied', because no success forgives a ban: leave it out",
    },
  ],
  packing: undefined,

  define(options) {
    const { limit, window, forgive } = options.read(OPTIONS);
    const span = Math.ceil(window / 1e3);
    const delay = { milliseconds: { ...DELAY, max: span * 1e3 }, required: true } as const;
    const delays = (options.value('delays') as unknown[]).map((_, index) => options.item('delays', index, delay));
    const lockAt = options.one('lockAt', { integer: [limit + 1, MAX_STRIKES] });
    const forgivesAll = forgive === 'all';
    return Object.freeze({
      algorithm: backoff,
      limit,
      quota: limit,
      capacity: MAX_STRIKES,
      window: span * 1e3,
      span,
      delays,
      lockAt,
      forgivesAll,
      tick: 1e3,
      dimensions: 'backoff',
      settling: undefined,
      numbers: [1e3, MAX_STRIKES, limit, span, lockAt ?? 0, forgivesAll ? 1 : 0, ...delays],
    } satisfies BackoffPolicy);
  },

  isAhead([last], now) {
    return last > now;
  },

  read(stored, now, { span }) {
    if (stored === undefined) return NONE;
    const [last, count] = stored;
    if (last > now) return [now, count];
    return now - last >= span ? NONE : stored;
  },

  wait([last, count], now, policy) {
    return count === 0 ? 0 : Math.max(0, last + blockOf(count, policy) - now);
  },

  remaining([, count], _now, { limit }) {
    return Math.max(0, limit - count);
  },

  /** A denied request adds no strike, so that a client that keeps trying does not lengthen its block. */
  charge(state, now, policy, cost) {
    if (this.wait(state, now, policy, cost) > 0) return state;
    return [now, Math.min(MAX_STRIKES, state[1] + cost)];
  },

  describe([last, count], now, policy, { charged, retryAfter, stored }) {
    const resetAfter = count === 0 ? 0 : last + policy.span - now;
    return {
      charged,
      limit: policy.limit,
      remaining: Math.max(0, policy.limit - count),
      retryAfter,
      replenishAfter: resetAfter,
      resetAfter,
      delay: 0,
      before: pack(this.read(stored as Strikes | undefined, now, policy)),
    };
  },

  refund(stored, now, policy, charge) {
    const [last, count] = this.read(stored, now, policy);
    const { units, undone } = charge;
    if (undone) return undo([last, count], charge);
    const given = policy.forgivesAll && units > 0 ? count : Math.min(units, count);
    return { state: strikesAt(last, count - given), given };
  },

  expiresAt([last], { span }) {
    return last + span;
  },

  terms(state, now, policy) {
    const [last, strikes] = state;
    const wait = this.wait(state, now, policy, 1);
    return {
      form: 'strikes',
      strikes,
      blockedUntil: wait > 0 ? toMilliseconds(now + wait, policy) : undefined,
      forgottenAt: strikes > 0 ? toMilliseconds(last + policy.span, policy) : undefined,
    };
  },
};

/** Takes back the strikes of a request alone. Unless another one has struck since, the time of those before it is restored. */
function undo([last, count]: Strikes, { units, at, before = 0 }: Charge): Refund<Strikes> {
  const countBefore = before % STRIKE_RANGE;
  const given = Math.min(units, count, MAX_STRIKES - countBefore);
  const isLatest = last === at && count - given === countBefore;
  return { state: strikesAt(isLatest ? Math.floor(before / STRIKE_RANGE) : last, count - given), given };
}

/** Without strikes there is no latest one. */
function strikesAt(last: number, count: number): Strikes {
  return count === 0 ? NONE : [last, count];
}

/** The integer that Redis stores. */
function pack([last, count]: Strikes): number {
  return last * STRIKE_RANGE + count;
}

/** How long so many strikes block, in milliseconds. */
function blockOf(count: number, { limit, span, delays, lockAt }: BackoffPolicy): number {
  if (count <= limit) return 0;
  if (lockAt !== undefined && count >= lockAt) return span;
  return delays[Math.min(count - limit, delays.length) - 1]!;
}
