import type { Algorithm } from '../../algorithms/algorithm.js';
import { fixedWindow } from '../../algorithms/fixed-window/fixed-window.js';
import type { FixedWindowPolicy, Window } from '../../algorithms/fixed-window/window-policy.js';
import type { Claim } from '../../model/claim.js';
import type { Mark } from '../../model/notice.js';
import type { Ruling } from '../../model/ruling.js';
import { highestMark, marksWithin } from './marks.js';

/**
 * A window, and the units of the highest mark that was reported before refunds lowered the count. Every mark up to the count
 * is reported, because the charge that has reached it has done so.
 */
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
  // No script of a policy reads a window that was reported beyond its count.
  packing: fixedWindow.packing,

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

  charge([before, ends, reported = 0], now, policy, cost) {
    const [count] = fixedWindow.charge([before, ends], now, policy, cost);
    return [count, ends, reported];
  },

  describe([count, ends, reported = 0], now, policy, result): NoticedRuling {
    const ruling = fixedWindow.describe([count, ends], now, policy, result);
    const marks = marksWithin(policy.marks!, Math.max(reported, count - ruling.charged), count);
    return marks.length === 0 ? ruling : { ...ruling, reached: { marks, endsAt: Math.round(ends / 1e3) } };
  },

  /** The next request begins a window without units, which may have the same end. */
  refund(stored, now, policy, charge) {
    const [count, ends, reported = 0] = this.read(stored, now, policy);
    const { state, given } = fixedWindow.refund([count, ends], now, policy, charge);
    const highest = Math.max(reported, highestMark(policy.marks!, count));
    return { state: highest > state[0] ? [state[0], ends, highest] : state, given };
  },

  expiresAt([, ends]) {
    return ends;
  },

  terms([count, ends, reported = 0], now, policy, cost) {
    const terms = fixedWindow.terms([count, ends], now, policy, cost);
    const notices = policy.marks!.map(({ mark, units }) => ({ mark, isReported: units <= Math.max(reported, count) }));
    return { ...terms, notices } as typeof terms;
  },

  /** The detail is 0, or where the charge has reached a mark 1 above the units that were reported before. */
  detailed(ruling, { policy }, { number, now }): NoticedRuling {
    if (number === 0) return ruling;
    const marks = marksWithin(policy.marks!, number - 1, ruling.limit - ruling.remaining);
    return { ...ruling, reached: { marks, endsAt: Math.round((now + ruling.resetAfter) / 1e3) } };
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
