// fixed-window/ counts in windows that begin at the first request, or with a day, a week or a month of the calendar. A
// count, a cost and a time enter. It imports the algorithms' shared files.
import { RATE_FACTS } from '../../model/algorithm-facts.js';
import { NOTICES } from '../../options/imported-value.js';
import type { OptionReader } from '../../options/option-reader.js';
import type { OptionRows } from '../../options/option-row.js';
import type { Algorithm, NamedAlgorithm } from '../algorithm.js';
import type { Kernel } from '../kernel.js';
import { type Rate, RATE_OPTIONS } from '../rate.js';
import { stepsOf } from '../steps-of.js';
import { toMilliseconds } from '../tick.js';
import {
  calendarOf,
  PERIOD_OPTIONS,
  PERIOD_RULES,
  type NamedCalendar,
  type PeriodOptions,
  type PeriodStart,
} from './calendar-options.js';
import {
  type Notices,
  type NoticesValue,
  COUNT_RANGE,
  PART_RANGE,
  PERIOD_ENDS,
  type FixedWindowPolicy,
  type Window,
} from './window-policy.js';
import { endText } from './period-end.js';

export interface NoticeOptions {
  /**
   * `notices()` of `@sluice/quotas`: the charge that reaches one of these parts of the limit publishes `sluice:notice` in
   * its process and calls `onNotice` of its limiter, once in a window or period, of all processes.
   *
   * @default none
   * @example notices: notices(0.75, 0.9, 1)
   */
  notices?: Notices | undefined;
}

/** Units in windows that follow each other, or in periods of a calendar. `Start` is what may stand for the first day of a period. */
export type FixedWindowOptions<Limit = number, Start = PeriodStart> = NoticeOptions &
  (WindowOptions<Limit> | PeriodOptions<Limit, Start>);

export interface WindowOptions<Limit = number> extends Rate<Limit> {
  /** `'fixed-window'` counts in windows that follow each other: two of them may meet in a double burst. */
  algorithm: 'fixed-window';
  /**
   * When a window begins: with a key's `'first'` request, so that clients do not all return together; or by the
   * `'clock'`, in whole windows since 1970 in UTC, which must not be whole weeks: `period` has weeks of a calendar. A
   * `'first'` window ends with a grain of 1, 10 or 100 ms, or of 1, 10 or 100 s. So it is longer than `window` by less
   * than 1 ms, or by less than 1 / 100 000 when it lasts more than 17 minutes.
   *
   * @default 'first'
   */
  anchor?: 'first' | 'clock';
  period?: never;
  timeZone?: never;
  startsOn?: never;
}

const OPTIONS = {
  ...RATE_OPTIONS,
  anchor: { oneOf: ['first', 'clock'], otherwise: 'first' },
  ...PERIOD_OPTIONS,
  notices: { imported: NOTICES },
} as const satisfies OptionRows;

const GRAINS = [1e3, 1e4, 1e5, 1e6, 1e7, 1e8] as const;

const WEEK = 604_800e6;
const WEEK_RULE =
  "must be 'first' for a window of whole weeks: by the clock it would end on Thursdays at 00:00 UTC, because 1970-01-01 was one. Write period: 'week' in place of window and anchor for weeks of a calendar, else anchor: 'first'";

/** Grains in a window. The other half of the parts tells windows that are over or ahead. */
const MAX_GRAINS = PART_RANGE / 2;

const NONE: Window = [0, 0];

// Indexes, because an array pattern is too long a function body for V8 to inline.
const COUNT = 0;
const ENDS = 1;

const kernel: Kernel<FixedWindowPolicy> = {
  width: 2,

  roll(cells, at, now, policy) {
    const latest = latestEnd(now, policy);
    const ends = cells[at + ENDS]!;
    if (ends <= now) cells[at + COUNT] = 0;
    if (ends <= now || ends > latest) cells[at + ENDS] = latest;
    return ends > latest;
  },

  wait(cells, at, now, { limit }, cost) {
    return Math.min(cells[at + COUNT]!, limit) + cost <= limit ? 0 : cells[at + ENDS]! - now;
  },

  remaining(cells, at, _now, { limit }) {
    return Math.max(0, limit - cells[at + COUNT]!);
  },

  charge(cells, at, now, policy, cost) {
    cells[at + COUNT]! += Math.min(cost, kernel.remaining(cells, at, now, policy));
  },

  describe(cells, at, now, policy, { charged, retryAfter }) {
    const after = cells[at + COUNT] === 0 ? 0 : cells[at + ENDS]! - now;
    const remaining = kernel.remaining(cells, at, now, policy);
    return { charged, limit: policy.limit, remaining, retryAfter, replenishAfter: after, resetAfter: after, delay: 0 };
  },
};

/** The same, with windows that a calendar ends. */
const periodKernel: Kernel<FixedWindowPolicy> = {
  ...kernel,

  roll(cells, at, now, { periods }) {
    const { ends: latest, nextEnds } = periods!.around(now);
    const ends = cells[at + ENDS]!;
    // After a step back of the clock, or for another first day, a period goes on until its own end.
    const isAhead = ends > nextEnds;
    const isOver = ends <= now;
    if (isOver) cells[at + COUNT] = 0;
    if (isOver || isAhead) cells[at + ENDS] = latest;
    return isAhead;
  },
};

/** Counts the units of a window, which restarts when it ends. At most the limit in its window, 2 x limit in any. */
export const fixedWindow: Algorithm<FixedWindowPolicy, Window> & NamedAlgorithm<'fixed-window'> = {
  ...RATE_FACTS,
  ...stepsOf(kernelOf),
  refill: 'together',
  mayLease: true,
  name: 'fixed-window',
  code: 'fw',
  keyType: 'string',
  twin: 'fw',
  options: OPTIONS,
  rules: PERIOD_RULES,
  packing: {
    path: () => 'fw',
    unpack(numbers, position, now, policy) {
      const value = numbers[position]!;
      return value === 0 ? undefined : unpackWindow(value, now, policy);
    },
  },

  define(options) {
    const limit = options.one('limit', OPTIONS.limit);
    const calendar = calendarOf(options);
    const policy = calendar === undefined ? windowPolicy(options, limit) : periodPolicy(limit, calendar);
    const notices = options.one('notices', OPTIONS.notices) as NoticesValue | undefined;
    return notices === undefined ? Object.freeze(policy) : notices.noticed(policy);
  },

  refund(stored, now, policy, { units, until }) {
    const [count, ends] = fixedWindow.read(stored, now, policy);
    const given = ends === until ? Math.min(units, count) : 0;
    // The next request begins a window: the one that began this window does not count.
    return { state: given === count ? NONE : [count - given, ends], given };
  },

  expiresAt(window) {
    return window[ENDS];
  },

  terms([units, ends], _now, policy) {
    return { form: 'window', units, endsAt: units > 0 ? toMilliseconds(ends, policy) : undefined };
  },
};

function kernelOf({ periods }: FixedWindowPolicy): Kernel<FixedWindowPolicy> {
  return periods === undefined ? kernel : periodKernel;
}

function windowPolicy(options: OptionReader, limit: number): FixedWindowPolicy {
  const window = options.one('window', OPTIONS.window);
  const anchor = options.one('anchor', OPTIONS.anchor);
  if (anchor === 'clock' && window % WEEK === 0) throw options.fail('OPTION_INVALID', 'anchor', WEEK_RULE);
  // A window by the clock ends with the grain that holds its first request.
  const [grain, reach] = anchor === 'clock' ? [window, 1] : [grainOf(window), window];
  return {
    algorithm: fixedWindow,
    limit,
    quota: limit,
    capacity: limit,
    window,
    grain,
    reach,
    // Nothing is multiplied, so microseconds always stay exact.
    tick: 1,
    dimensions: `fixed-window ${window} ${anchor}`,
    settling: undefined,
    numbers: [1, limit, limit, reach, grain],
  };
}

/** A minute, because every period ends with a full minute. */
const PERIOD_GRAIN = 6e7;

/** The numbers are the limit and the ends of the periods about this time, of which the Lua twin takes the first to come. */
function periodPolicy(limit: number, { calendar, name, rule }: NamedCalendar): FixedWindowPolicy {
  const now = Date.now() * 1e3;
  const { begins, ends } = calendar.around(now);
  return {
    algorithm: fixedWindow,
    limit,
    quota: limit,
    capacity: limit,
    window: ends - begins,
    grain: PERIOD_GRAIN,
    reach: 1,
    periods: calendar,
    calendar: {
      period: calendar.period,
      rule: `${limit} ${rule}`,
      lasts: { from: begins / 1e3, until: ends / 1e3 },
      lengthUntil: (time) => calendar.lengthUntil(time),
      endText: endText(calendar),
    },
    tick: 1,
    dimensions: `fixed-window ${name}`,
    settling: undefined,
    numbers: [1, limit, limit, 1, PERIOD_GRAIN, ...calendar.ends(now, PERIOD_ENDS)],
  };
}

/** The latest end of a window that holds `now`. */
function latestEnd(now: number, { grain, reach }: FixedWindowPolicy): number {
  return Math.ceil((now + reach) / grain) * grain;
}

function grainOf(window: number): number {
  return GRAINS.find((grain) => window <= MAX_GRAINS * grain)!;
}

/**
 * Only the lower bits of a part are stored: of the parts with these bits, the nearest to the middle of a window is
 * meant.
 */
function unpackWindow(value: number, now: number, { grain, reach }: FixedWindowPolicy): Window {
  const count = value % COUNT_RANGE;
  const middle = Math.floor((now + reach / 2) / grain);
  const age = (middle - (value - count) / COUNT_RANGE) % PART_RANGE;
  return [count, (middle - (age < PART_RANGE / 2 ? age : age - PART_RANGE)) * grain];
}
