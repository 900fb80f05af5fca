import type { Duration } from '../../model/duration.js';
import type { Policy } from '../../model/policy.js';
import type { Algorithm } from '../algorithm.js';
import { Stamps } from './stamps.js';

export interface SlidingWindowLogOptions<Limit = number> {
  algorithm: 'sliding-window-log';
  /** Units allowed per `window`, at most 10 000: each is stored with its time. */
  limit: Limit;
  window: Duration;
}

const MAX_LIMIT = 10_000;

/** Remembers when each unit was charged: exactly the limit in any window, for 8 to 12 bytes a unit. */
export const slidingWindowLog: Algorithm<Policy, Stamps> = {
  name: 'sliding-window-log',
  code: 'sl',
  options: ['limit', 'window'],
  packing: undefined,

  define(options) {
    const limit = options.integer('LIMIT_INVALID', 'limit', { max: MAX_LIMIT });
    const window = options.duration('window');
    return Object.freeze({
      algorithm: 'sliding-window-log',
      limit,
      quota: limit,
      capacity: limit,
      window,
      tick: 1,
      dimensions: `sliding-window-log ${window}`,
      numbers: [1, limit, limit, window],
    } satisfies Policy);
  },

  isAhead(stored, now) {
    return stored.length > 0 && stored.at(stored.length - 1) > now;
  },

  read(stored, now, policy) {
    if (stored === undefined || this.isAhead(stored, now, policy)) return new Stamps([], 0, 0);
    return stored.drop(expired(stored, now - policy.window));
  },

  wait(stamps, now, { limit, window }, cost) {
    if (stamps.length + cost <= limit) return 0;
    return stamps.at(stamps.length + cost - limit - 1) + window - now;
  },

  remaining(stamps, _now, { limit }) {
    return Math.max(0, limit - stamps.length);
  },

  charge(stamps, now, policy, cost) {
    return stamps.add(now, Math.min(cost, this.remaining(stamps, now, policy)));
  },

  describe(stamps, now, policy, { charged, retryAfter }) {
    const { limit, window } = policy;
    const remaining = this.remaining(stamps, now, policy);
    if (stamps.length === 0) {
      return { charged, limit, remaining, retryAfter, replenishAfter: 0, resetAfter: 0, delay: 0 };
    }
    const next = stamps.at(stamps.length - (limit - remaining)) + window - now;
    const last = stamps.at(stamps.length - 1) + window - now;
    return { charged, limit, remaining, retryAfter, replenishAfter: next, resetAfter: last, delay: 0 };
  },

  refund(stored, now, policy, { units, at }) {
    const { stamps, removed } = this.read(stored, now, policy).remove(at, units);
    return { state: stamps, given: removed };
  },

  expiresAt(stamps, { window }) {
    return stamps.length === 0 ? 0 : stamps.at(stamps.length - 1) + window;
  },
};

/** How many stamps are at or before `edge`. Gallops from the oldest, because few stamps have usually expired. */
function expired(stamps: Stamps, edge: number): number {
  let above = 1;
  while (above <= stamps.length && stamps.at(above - 1) <= edge) above *= 2;
  let low = Math.floor(above / 2);
  let high = Math.min(above - 1, stamps.length);
  while (low < high) {
    const middle = Math.floor((low + high + 1) / 2);
    if (stamps.at(middle - 1) <= edge) low = middle;
    else high = middle - 1;
  }
  return low;
}
