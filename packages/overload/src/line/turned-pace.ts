import type { Policy } from '@sluice/core/internal';
import type { Pace } from './pace.js';

/** The part of a window in which its units are told. */
const PART = 10;
/** Nobody waits for days of a new month: a period tells its units within a minute. In microseconds. */
const PERIOD_PART = 60e6;
/** Where the ends of periods begin in the numbers of a policy, and how many there are. */
const FIRST_END = 5;
const ENDS = 5;

/** A limit whose units come back together. Each window that is to come tells the units of its limit, one after the other. */
export const turnedPace: Pace = {
  twins: ['fw'],
  isTurned: true,

  slice({ limit, window, calendar }) {
    const part = calendar === undefined ? window / PART : Math.min(window / PART, PERIOD_PART);
    return Math.max(1, Math.ceil(part / limit));
  },

  next({ policy, cost, now, exact, end, owed, state }) {
    const { line, limit } = policy;
    const [count, ends] = state as WindowState;
    const from = Math.max(now + exact + owed * line.slice, end);
    const charged = Math.min(count, limit);
    // Where a kept place alone denies, the window of now has room for those that come before it ends.
    const isNow = charged + cost <= limit && from < ends;
    const turn = isNow ? { begins: now, next: ends } : windowAt(policy, from, ends);
    const used = Math.ceil((from - turn.begins) / line.slice) + (isNow ? charged : 0);
    const at = used + cost > limit ? turn.next : from;
    return { at, end: at + cost * line.slice };
  },

  first({ policy, cost, now, exact }) {
    const first = now + exact;
    return { at: first, end: first + cost * policy.line.slice };
  },

  told({ policy, now, exact, end }) {
    const { limit, window, tick, line } = policy;
    const time = Math.max(0, end - now - exact);
    const turns = Math.floor((time * tick) / window);
    return Math.max(1, turns * limit + Math.min(limit, Math.ceil((time - (turns * window) / tick) / line.slice)));
  },
};

/** How many units a fixed window has charged, and when it ends: one that has no key yet as if it began now. */
type WindowState = readonly [count: number, ends: number];

interface Turn {
  readonly begins: number;
  readonly next: number;
}

/** The window of a time. @param first when the next one begins */
function windowAt(policy: Policy, time: number, first: number): Turn {
  const { calendar, window } = policy;
  if (calendar !== undefined) return periodAt(policy, time, first);
  const begins = first + Math.floor((time - first) / window) * window;
  return { begins, next: begins + window };
}

/** The period of a time, by the ends that the Lua twin has. */
function periodAt({ numbers }: Policy, time: number, first: number): Turn {
  const ends = numbers.slice(FIRST_END, FIRST_END + ENDS);
  for (let place = 1; place < ends.length; place += 1) {
    if (ends[place]! > time) return { begins: Math.max(first, ends[place - 1]!), next: ends[place]! };
  }
  const last = ends.at(-1)!;
  const length = last - ends.at(-2)!;
  const begins = last + Math.floor((time - last) / length) * length;
  return { begins: Math.max(first, begins), next: begins + length };
}
