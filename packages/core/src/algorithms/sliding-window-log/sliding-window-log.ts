// sliding-window-log/ stores the time of each unit, so that a window is exact at any time. Stamps, a cost and a time
// enter. It imports the algorithms' shared files.
import { RATE_FACTS } from '../../model/algorithm-facts.js';
import type { Policy } from '../../model/policy.js';
import type { OptionRows } from '../../options/option-row.js';
import type { Algorithm, NamedAlgorithm } from '../algorithm.js';
import { LIMIT_ROW, type Rate, RATE_OPTIONS } from '../rate.js';
import {
  chargeLog,
  describeLog,
  emptyLog,
  isLogAhead,
  logTerms,
  readLog,
  remainingInLog,
  waitForLog,
  type LogWindow,
} from './log.js';
import { Stamps, ToldStamps } from './stamps.js';

export interface SlidingWindowLogOptions<Limit = number> extends Rate<Limit> {
  /** `'sliding-window-log'` stores the time of each unit: exact, up to a limit of 10 000. */
  algorithm: 'sliding-window-log';
}

export interface SlidingWindowLogPolicy extends Policy, LogWindow {}

const MAX_LIMIT = 10_000;

const OPTIONS = { ...RATE_OPTIONS, limit: { ...LIMIT_ROW, integer: [1, MAX_LIMIT] } } as const satisfies OptionRows;

/** Remembers when each unit was charged: exactly the limit in any window, for 8 to 12 bytes a unit. */
export const slidingWindowLog: Algorithm<SlidingWindowLogPolicy, Stamps> & NamedAlgorithm<'sliding-window-log'> = {
  ...RATE_FACTS,
  name: 'sliding-window-log',
  code: 'sl',
  keyType: 'list',
  twin: 'sl',
  options: OPTIONS,
  storesUnits: true,
  packing: {
    path: () => 'sl',
    unpack: (numbers, position) => ToldStamps.unpack(numbers, position),
  },
  isAhead: isLogAhead,
  wait: waitForLog,
  charge: chargeLog,
  describe: describeLog,
  terms: (stamps, _now, policy) => logTerms(stamps, policy),
  revive: (json) => Stamps.revive(json),

  define(options) {
    const { limit, window } = options.read(OPTIONS);
    return Object.freeze({
      algorithm: slidingWindowLog,
      limit,
      quota: limit,
      capacity: limit,
      window,
      span: window,
      tick: 1,
      dimensions: `sliding-window-log ${window}`,
      settling: undefined,
      numbers: [1, limit, limit, window],
    } satisfies SlidingWindowLogPolicy);
  },

  read(stored, now, policy) {
    return stored === undefined || isLogAhead(stored, now) ? emptyLog() : readLog(stored, now, policy);
  },

  remaining(stamps, _now, policy) {
    return remainingInLog(stamps, policy);
  },

  refund(stored, now, policy, { units, at }) {
    const { stamps, removed } = this.read(stored, now, policy).remove(at, units);
    return { state: stamps, given: removed };
  },

  expiresAt(stamps, { window }) {
    return stamps.length === 0 ? 0 : stamps.at(stamps.length - 1) + window;
  },
};
