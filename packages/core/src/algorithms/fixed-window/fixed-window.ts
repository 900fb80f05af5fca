import type { Duration } from '../../model/duration.js';
import type { Policy } from '../../model/policy.js';
import type { Algorithm } from '../algorithm.js';

export interface FixedWindowOptions<Limit = number> {
  algorithm: 'fixed-window';
  /** Units allowed per `window`, at most 2^32 - 1. */
  limit: Limit;
  window: Duration;
  /**
   * When a window begins: at a key's `'first'` request, so that not all clients come back at once; or by the
   * `'clock'`, in whole windows since 1970. A `'first'` window is longer by less than a millisecond, and if it is longer
   * than 17 minutes by less than a hundred thousandth of itself: it ends with a grain of 1, 10 or 100 ms, or of 1, 10 or
   * 100 s.
   *
   * @default 'first'
   */
  anchor?: 'first' | 'clock';
}

export interface FixedWindowPolicy extends Policy {
  /** Microseconds. A window ends with a whole one of these since 1970, for Redis keeps the end as their number. */
  readonly grain: number;
  /** Microseconds from the first request of a window to its end, at least. */
  readonly reach: number;
}

const GRAINS = [1e3, 1e4, 1e5, 1e6, 1e7, 1e8] as const;

/** Grains a window. Redis keeps 21 bits of a grain's number: the other half of them tells what is over or ahead. */
const GRAINS_MAX = 2 ** 20;

/** Units charged, and when their window ends. */
type Window = readonly [count: number, ends: number];

// By these, for an array pattern is longer than all else that a function does, and keeps V8 from inlining it.
const COUNT = 0;
const ENDS = 1;

/** Counts the units of a window and forgets them when it ends. At most the limit in its window, 2 x limit in any. */
export const fixedWindow: Algorithm<FixedWindowPolicy, Window> = {
  name: 'fixed-window',
  code: 'fw',
  options: ['limit', 'window', 'anchor'],

  define(options) {
    const limit = options.integer('LIMIT_INVALID', 'limit', { max: 2 ** 32 - 1 });
    const window = options.duration('window');
    const anchor = options.choice<'first' | 'clock'>('anchor', ['first', 'clock'], 'first');
    // By the clock, a window ends with the grain that holds its first request.
    const [grain, reach] = anchor === 'clock' ? [window, 1] : [grainOf(window), window];
    return Object.freeze({
      algorithm: 'fixed-window',
      limit,
      quota: limit,
      capacity: limit,
      window,
      grain,
      reach,
      // Nothing is multiplied here, so microseconds always fit.
      tick: 1,
      dimensions: `fixed-window ${window} ${anchor}`,
      numbers: [1, limit, limit, reach, grain],
    } satisfies FixedWindowPolicy);
  },

  ahead(stored, now, policy) {
    return stored[ENDS] > latestEnd(now, policy);
  },

  read(stored, now, policy) {
    const latest = latestEnd(now, policy);
    if (stored === undefined || stored[ENDS] <= now) return [0, latest];
    return stored[ENDS] <= latest ? stored : [stored[COUNT], latest];
  },

  wait(window, now, { limit }, cost) {
    return Math.min(window[COUNT], limit) + cost <= limit ? 0 : window[ENDS] - now;
  },

  remaining(window, _now, { limit }) {
    return Math.max(0, limit - window[COUNT]);
  },

  charge(window, _now, { limit }, cost) {
    const count = window[COUNT];
    return [count + Math.min(cost, Math.max(0, limit - count)), window[ENDS]];
  },

  describe(window, now, { limit }, { charged, retryAfter }) {
    const count = window[COUNT];
    const remaining = Math.max(0, limit - count);
    const left = count === 0 ? 0 : window[ENDS] - now;
    return { charged, limit, remaining, retryAfter, replenishAfter: left, resetAfter: left, delay: 0 };
  },

  refund(stored, now, policy, { units, until }) {
    const [count, ends] = this.read(stored, now, policy);
    const given = ends === until ? Math.min(units, count) : 0;
    return { state: [count - given, ends], given };
  },

  expiresAt(window) {
    return window[ENDS];
  },
};

/** Where a window that holds `now` ends at the latest. */
function latestEnd(now: number, { grain, reach }: FixedWindowPolicy): number {
  return Math.ceil((now + reach) / grain) * grain;
}

function grainOf(window: number): number {
  return GRAINS.find((grain) => window <= GRAINS_MAX * grain)!;
}
