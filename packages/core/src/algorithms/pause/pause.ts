// pause/ denies a key until a time that an operator or an upstream has named. The end of a pause and a time enter. It
// imports the algorithms' shared files.
import { RATE_FACTS } from '../../model/algorithm-facts.js';
import type { Policy } from '../../model/policy.js';
import { withoutMeaning } from '../../options/option-row.js';
import type { Algorithm, NamedAlgorithm } from '../algorithm.js';
import { toMilliseconds } from '../tick.js';

export interface PauseOptions {
  /** `'pause'` denies while it is paused by `limiter.pause`, and admits else. No request is charged. */
  algorithm: 'pause';
}

/** The end of the pause in milliseconds. The second number is not used. */
type Paused = readonly [until: number, unused: 0];

/** 49 days in milliseconds. */
export const MAX_PAUSE_MS = 2 ** 32 - 1;
const NONE: Paused = [0, 0];

/**
 * Denies until a time. A charge of so many milliseconds moves that time; requests themselves are not charged. No pause
 * is longer than `MAX_PAUSE_MS`. A pause that ends later was stored before the clock stepped back, so its end is moved
 * to the longest one.
 */
export const pause: Algorithm<Policy, Paused> & NamedAlgorithm<'pause'> = {
  ...RATE_FACTS,
  refill: undefined,
  chargesNobody: true,
  name: 'pause',
  code: 'pz',
  keyType: 'string',
  twin: 'pz',
  options: {},
  rules: withoutMeaning(
    ['cost', 'unit', 'aboveFull', 'charge', 'record', 'lease', 'usage'],
    'pause, which charges no request',
  ),
  packing: undefined,

  define() {
    return policy;
  },

  isAhead([until], now) {
    return until > now + MAX_PAUSE_MS;
  },

  read(stored, now) {
    if (stored === undefined) return NONE;
    return this.isAhead(stored, now, policy) ? [now + MAX_PAUSE_MS, 0] : stored;
  },

  wait([until], now) {
    return Math.max(0, until - now);
  },

  remaining([until], now) {
    return until > now ? 0 : 1;
  },

  charge([until], now, _policy, milliseconds) {
    return [Math.max(until, now + milliseconds), 0];
  },

  describe(state, now, given, { charged, retryAfter }) {
    const left = this.wait(state, now, given, 1);
    return {
      charged,
      limit: 1,
      remaining: left > 0 ? 0 : 1,
      retryAfter,
      replenishAfter: left,
      resetAfter: left,
      delay: 0,
    };
  },

  tell(outcome) {
    outcome.held = true;
    return outcome;
  },

  /** A pause is undone unless it was made longer since. */
  refund(stored, _now, _policy, { units, until, undone }) {
    return undone && stored[0] === until ? { state: NONE, given: units } : { state: stored, given: 0 };
  },

  expiresAt([until]) {
    return until;
  },

  terms([until], now) {
    return { form: 'pause', until: until > now ? toMilliseconds(until, policy) : undefined };
  },
};

const policy: Policy = Object.freeze({
  algorithm: pause,
  limit: 1,
  quota: 1,
  capacity: MAX_PAUSE_MS,
  window: 1e3,
  tick: 1e3,
  dimensions: 'pause',
  settling: undefined,
  numbers: [1e3, MAX_PAUSE_MS],
});
