import type { MarkTerms } from '../../model/inspection.js';
import type { Mark } from '../../model/notice.js';
import type { Ruling } from '../../model/ruling.js';
import type { FixedWindowPolicy, Window } from './window-policy.js';
import { highestMark, marksWithin } from './marks.js';

export interface NoticeOptions {
  /**
   * Parts of the limit, in rising order. The charge that reaches one publishes `sluice:notice` in its process and calls
   * `onNotice` of its limiter: once in a window or period, of all processes.
   *
   * @default none
   * @example notices: [0.75, 0.9, 1]
   */
  notices?: readonly number[];
}

/** The policy of a window that gives notice of marks. It has another Lua twin, and counts under the same keys. */
export function withMarks(policy: FixedWindowPolicy, marks: readonly Mark[]): FixedWindowPolicy {
  const units = marks.map((each) => each.units);
  const numbers = [...policy.numbers, ...units, units.length];
  const rule = policy.rule === undefined ? {} : { rule: `${policy.rule} ${units.join()}` };
  return { ...policy, ...rule, twin: 'fn', marks, numbers };
}

// What was reported is a part of the state while the window lasts, also when refunds have lowered the count.

/** A window without units has not begun: it is stored only for what was reported of it. */
export function begunOf(stored: Window | undefined): Window | undefined {
  return stored?.[0] === 0 ? undefined : stored;
}

export function afterRead([count, ends]: Window, stored: Window | undefined): Window {
  return [count, ends, reportedIn(stored, ends)];
}

/** Tells the highest mark that the charge has reached, unless it was reported before. */
export function afterCharge([count, ends]: Window, [before, , reported = 0]: Window, marks: readonly Mark[]): Window {
  const mark = highestMark(marks, count);
  return [count, ends, mark > before ? Math.max(reported, mark) : reported];
}

/** The next request begins a window without units, which may have the same end. */
export function afterRefund(state: Window, [, ends, reported = 0]: Window): Window {
  return reported === 0 ? state : [state[0], ends, reported];
}

/** @param stored the state before the charge */
export function noticedRuling(
  ruling: Ruling,
  state: Window,
  stored: Window | undefined,
  marks: readonly Mark[],
): Ruling {
  const [, ends, reported = 0] = state;
  const before = reportedIn(stored, ends);
  if (reported === before) return ruling;
  // The count had passed a mark below it before this was a mark.
  return { ...ruling, reached: marksWithin(marks, Math.max(before, state[0] - ruling.charged), reported) };
}

export function markTerms([, , reported = 0]: Window, marks: readonly Mark[]): readonly MarkTerms[] {
  return marks.map(({ mark, units }) => ({ mark, isReported: units <= reported }));
}

/** The units of the highest mark that was reported in the window with this end. */
function reportedIn(stored: Window | undefined, ends: number): number {
  return stored !== undefined && stored[1] === ends ? (stored[2] ?? 0) : 0;
}
