import type { Algorithm } from '../../algorithms/algorithm.js';
import { fixedWindow, unpackWindow } from '../../algorithms/fixed-window/fixed-window.js';
import type { FixedWindowPolicy, Window } from '../../algorithms/fixed-window/window-policy.js';
import type { Claim } from '../../model/claim.js';
import type { Mark } from '../../model/notice.js';
import type { Ruling } from '../../model/ruling.js';
import { highestMark, marksWithin } from './marks.js';

/** A window, and the units of the highest mark that was reported in it, also when refunds have lowered the count. */
type NoticedWindow = readonly [...window: Window, reported?: number];

/** What a charge has reached first. */
interface Reached {
  /** In rising order. */
  readonly marks: readonly Mark[];
  /** When the count begins at 0 again, in milliseconds since 1970 by the clock of the store. */
  readonly endsAt: number;
}

export type NoticedRuling = Ruling & { readonly reached?: Reached };

/** A fixed window that gives notice of marks of its limit. It counts under the keys of a fixed window. */
export const noticedWindow: Algorithm<FixedWindowPolicy, NoticedWindow> = {
  name: 'fixed-window',
  code: 'fw',
  twin: 'fn',
  options: fixedWindow.options,
  packing: {
    path: () => 'fn',
    unpack(numbers, position, now, policy) {
      const value = numbers[position]!;
      const [count, ends] = value === 0 ? fixedWindow.read(undefined, now, policy) : unpackWindow(value, now, policy);
      return [count, ends, numbers[position + 1]!];
    },
  },

  define(options) {
    return fixedWindow.define(options);
  },

  isAhead([count, ends], now, policy) {
    return fixedWindow.isAhead([count, ends], now, policy);
  },

  read(stored, now, policy) {
    const [count, ends] = fixedWindow.read(begunOf(stored), now, policy);
    return [count, ends, reportedIn(stored, ends)];
  },

  wait([count, ends], now, policy, cost) {
    return fixedWindow.wait([count, ends], now, policy, cost);
  },

  remaining([count, ends], now, policy) {
    return fixedWindow.remaining([count, ends], now, policy);
  },

  /** Reports the highest mark that the charge has reached, unless it was reported before. */
  charge([before, ends, reported = 0], now, policy, cost) {
    const [count] = fixedWindow.charge([before, ends], now, policy, cost);
    const mark = highestMark(policy.marks!, count);
    return [count, ends, mark > before ? Math.max(reported, mark) : reported];
  },

  describe([count, ends, reported = 0], now, policy, result): NoticedRuling {
    const ruling = fixedWindow.describe([count, ends], now, policy, result);
    const before = reportedIn(result.stored as NoticedWindow | undefined, ends);
    if (reported === before) return ruling;
    // The count had passed a mark below it before this was a mark.
    const marks = marksWithin(policy.marks!, Math.max(before, count - ruling.charged), reported);
    return { ...ruling, reached: { marks, endsAt: Math.round(ends / 1e3) } };
  },

  /** The next request begins a window without units, which may have the same end. */
  refund(stored, now, policy, charge) {
    const [count, ends, reported = 0] = this.read(stored, now, policy);
    const { state, given } = fixedWindow.refund([count, ends], now, policy, charge);
    return { state: reported === 0 ? state : [state[0], ends, reported], given };
  },

  expiresAt([, ends]) {
    return ends;
  },

  terms([count, ends, reported = 0], now, policy, cost) {
    const terms = fixedWindow.terms([count, ends], now, policy, cost);
    const notices = policy.marks!.map(({ mark, units }) => ({ mark, isReported: units <= reported }));
    return { ...terms, notices } as typeof terms;
  },

  /** The detail is 0, or 1 above the units of the mark that was reported before. */
  detailed(ruling, { policy, cost, charge }, { number, now }): NoticedRuling {
    if (number === 0) return ruling;
    const used = ruling.limit - ruling.remaining;
    const passed = Math.max(number - 1, used - (charge === 'admitted' ? cost : ruling.charged));
    const endsAt = Math.round((now + ruling.resetAfter) / 1e3);
    return { ...ruling, reached: { marks: marksWithin(policy.marks!, passed, used), endsAt } };
  },

  /** An outcome has none of it: a notice is given once, also of a request that is undone, or whose reply is late. */
  tell(outcome, claim, ruling: NoticedRuling) {
    const { reached } = ruling;
    if (reached !== undefined) claim.onMarks?.(reachedMarks(claim, ruling, reached));
    return outcome;
  },
};

function reachedMarks({ tier, key }: Claim, { limit, remaining }: Ruling, { marks, endsAt }: Reached) {
  return marks.map(({ mark }) => ({ tier, key, mark, used: limit - remaining, limit, endsAt }));
}

/** A window without units has not begun: it is stored only for what was reported of it. */
function begunOf(stored: NoticedWindow | undefined): Window | undefined {
  return stored === undefined || stored[0] === 0 ? undefined : [stored[0], stored[1]];
}

/** The units of the highest mark that was reported in the window with this end. */
function reportedIn(stored: NoticedWindow | undefined, ends: number): number {
  return stored !== undefined && stored[1] === ends ? (stored[2] ?? 0) : 0;
}
