// sliding-window/ counts over the last window: exactly by a log where the limit is small, else by slots. Slots or
// stamps, a cost and a time enter. It imports sliding-window-log for the form of a log.
import { RATE_FACTS } from '../../model/algorithm-facts.js';
import { formatDuration } from '../../model/duration.js';
import type { OptionReader } from '../../options/option-reader.js';
import { FLAG, type OptionRows } from '../../options/option-row.js';
import type { NamedAlgorithm } from '../algorithm.js';
import { type Rate, RATE_OPTIONS } from '../rate.js';
import { roomyTick, tickOf } from '../tick.js';
import type { SlidingWindowPolicy } from './sliding-policy.js';
import { SLOTS_FORM } from './slots.js';
import { windowCounter, windowLog, windowRing } from './windows.js';

export interface SlidingWindowOptions<Limit = number> extends Rate<Limit> {
  /**
   * `'sliding-window'` counts the last `window`, also over its edges.
   *
   * @default 'sliding-window'
   */
  algorithm?: 'sliding-window';
  /**
   * Slots in the window, 1 to 250. More slots count closer to an exact log, and take 4 bytes each. Limits up to 64 are
   * exact without them.
   *
   * @default 1, with `strict` 50
   */
  precision?: number;
  /**
   * Admits at most the limit in any window. This costs up to 1 / precision of the throughput.
   *
   * @default false
   */
  strict?: boolean;
}

/** Up to this limit the window stores the time of each unit. */
const MAX_LOG_LIMIT = 64;
/** A log stores the lower 40 bits of a stamp: so many windows and more must fit into their range. */
const LOG_SPAN = 2 ** 38;

const OPTIONS = {
  ...RATE_OPTIONS,
  precision: { code: 'PRECISION_INVALID', integer: [1, 250] },
  strict: FLAG,
} as const satisfies OptionRows;

/**
 * Up to a limit of 64 stores the time of each unit: exactly the limit in any window. Above, counts units in slots, and
 * the oldest slot by the share that the window still covers: at most the limit in any (1 - 1/m) of a window, and less
 * than twice the limit in any window. Strict: at most the limit in any window.
 */
export const slidingWindow: NamedAlgorithm<'sliding-window'> = {
  ...RATE_FACTS,
  name: 'sliding-window',
  mayLease: true,
  code: 'sw',
  keyType: 'string',
  options: OPTIONS,

  define(options) {
    const { limit, window, strict, precision } = options.read(OPTIONS);
    const slots = precision ?? (strict ? 50 : 1);
    if (window % slots !== 0) throw indivisible(options, window, slots);
    const keepsLog = limit <= MAX_LOG_LIMIT;
    const product = (slots * 2 ** 52) / LOG_SPAN;
    const tick = tickOf(window / slots, keepsLog ? product : limit, options, 'window', slots);
    const logTick = keepsLog ? tick : roomyTick(window / slots, product)!;
    const slot = window / slots / tick;
    return Object.freeze({
      algorithm: keepsLog ? windowLog : slots > 1 ? windowRing : windowCounter,
      limit,
      quota: limit,
      capacity: limit,
      window,
      tick,
      slot,
      slots,
      ring: slots + 1,
      // No window admits more than the limit of a log, also while a ring of a larger limit is stored.
      strict: strict || keepsLog,
      span: slot * slots,
      logTick,
      dimensions: `sliding-window ${window} ${slots}${strict ? ' strict' : ''} ${SLOTS_FORM}`,
      settling: undefined,
      numbers: [tick, limit, limit, slot, slots, strict || keepsLog ? 1 : 0, logTick, keepsLog ? 1 : 0],
    } satisfies SlidingWindowPolicy);
  },
};

function indivisible(options: OptionReader, window: number, slots: number): Error {
  const divisors = Array.from({ length: 250 }, (_, index) => index + 1).filter((each) => window % each === 0);
  const below = divisors.filter((each) => each < slots).at(-1);
  const above = divisors.find((each) => each > slots);
  const nearest = [below, above].filter((each) => each !== undefined).join(' and ');
  return options.fail(
    'PRECISION_INVALID',
    options.has('precision') ? 'precision' : 'window',
    `must let ${slots} slots divide a window of ${formatDuration(window)} into whole microseconds: the nearest precisions that do are ${nearest}`,
  );
}
