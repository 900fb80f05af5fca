import {
  type Algorithm,
  type Claim,
  fixedWindow,
  type Noticing,
  type Mark,
  type ReachedMark,
  type Ruling,
  type Window,
} from '@sluice/core/internal';
import { heldMarks, TELLING, tellingOf } from './held-marks.js';
import { marksWithin, type NoticedPolicy } from './marks.js';

/**
 * A window, and up to which count its marks were told, also those of other limits that the key has had. It is the count itself,
 * unless refunds have lowered the count, or a mark is held back until other slots of a Cluster have admitted its request.
 */
type NoticedWindow = readonly [...window: Window, told?: number];
/** The same with both numbers. */
type ToldWindow = readonly [...window: Window, told: number];

/** What a charge has reached first. */
interface Reached {
  /** In rising order. */
  readonly marks: readonly Mark[];
  /** When the count begins at 0 again, in milliseconds since 1970 by the clock of the store. */
  readonly endsAt: number;
}

interface ReachedIn {
  readonly policy: NoticedPolicy;
  readonly endsAt: number;
}

/** A receipt has up to which count marks were told, and by how much its charge has raised that, in one integer. */
const RAISED_RANGE = 2 ** 20;

export type NoticedRuling = Ruling & { readonly reached?: Reached };

/** A fixed window that gives notice of marks of its limit. It counts under the keys of a fixed window. */
export const noticedWindow: Algorithm<NoticedPolicy, NoticedWindow> = {
  ...fixedWindow,
  facets: { noticing: { apart: heldMarks, reachedBy } satisfies Noticing<NoticedPolicy> },
  twin: 'fn',
  // Its steps do not tell marks.
  kernel: () => undefined,
  // No script of a policy reads a window that was told up to another count, or holds marks back.
  packing: {
    ...fixedWindow.packing!,
    path: (policy) => (tellingOf(policy) === TELLING.charge ? fixedWindow.packing!.path(policy) : undefined),
  },

  /** What is told later is saved without a charge. */
  isAhead(stored, now, policy) {
    const [count, ends, told = count] = stored;
    if (tellingOf(policy) === TELLING.later && told < count) return true;
    return fixedWindow.isAhead([count, ends], now, policy);
  },

  read(stored, now, policy) {
    const [count, ends, told] = roll(stored, now, policy);
    return [count, ends, tellingOf(policy) === TELLING.later ? Math.max(told, count) : told];
  },

  wait([count, ends], now, policy, cost) {
    return fixedWindow.wait([count, ends], now, policy, cost);
  },

  remaining([count, ends], now, policy) {
    return fixedWindow.remaining([count, ends], now, policy);
  },

  charge([before, ends, told = before], now, policy, cost) {
    const [count] = fixedWindow.charge([before, ends], now, policy, cost);
    const isHeld = tellingOf(policy) === TELLING.held && marksWithin(policy.marks, told, count).length > 0;
    return [count, ends, isHeld ? told : Math.max(told, count)];
  },

  describe([count, ends, told = count], now, policy, result): NoticedRuling {
    const ruling = fixedWindow.describe([count, ends], now, policy, result);
    const [, , before] = roll(result.stored as NoticedWindow | undefined, now, policy);
    const isHeld = tellingOf(policy) === TELLING.held && ruling.charged > 0;
    if (!isHeld && told === before) return ruling;
    return reachedFrom(before, ruling, { policy, endsAt: Math.round(ends / 1e3) });
  },

  /** The next request begins a window without units, which may have the same end. */
  refund(stored, now, policy, charge) {
    const [count, ends, toldNow] = roll(stored, now, policy);
    const { state, given } = fixedWindow.refund([count, ends], now, policy, charge);
    const told = given > 0 && charge.undone ? toldBefore(toldNow, charge.before) : toldNow;
    return { state: told === state[0] ? state : [state[0], ends, told], given };
  },

  expiresAt([, ends]) {
    return ends;
  },

  terms([count, ends, told = count], now, policy, cost) {
    const terms = fixedWindow.terms([count, ends], now, policy, cost);
    const notices = policy.marks.map(({ mark, units }) => ({ mark, isReported: units <= told }));
    return { ...terms, notices } as typeof terms;
  },
};

/** The ruling of a charge with the marks that it has reached, and what its undo restores if it has held none of them back. */
function reachedFrom(told: number, ruling: Ruling, { policy, endsAt }: ReachedIn): NoticedRuling {
  const count = ruling.limit - ruling.remaining;
  const marks = marksWithin(policy.marks, told, count);
  if (marks.length > 0) return { ...ruling, reached: { marks, endsAt } };
  const raised = count - told;
  const isHeld = tellingOf(policy) === TELLING.held;
  return isHeld && raised > 0 && raised < RAISED_RANGE ? { ...ruling, before: told * RAISED_RANGE + raised } : ruling;
}

/** Up to which count marks were told before a charge, unless another one has told more since. */
function toldBefore(told: number, before = 0): number {
  const raised = before % RAISED_RANGE;
  const earlier = (before - raised) / RAISED_RANGE;
  return raised > 0 && told === earlier + raised ? earlier : told;
}

function reachedBy(
  { tier, key }: Claim,
  { limit, remaining, reached }: NoticedRuling,
): readonly ReachedMark[] | undefined {
  return reached?.marks.map(({ mark }) => ({
    tier,
    key,
    mark,
    used: limit - remaining,
    limit,
    endsAt: reached.endsAt,
  }));
}

/** A window without units has not begun: it is stored only for what was told of it. */
function begunOf(stored: NoticedWindow | undefined): Window | undefined {
  return stored === undefined || stored[0] === 0 ? undefined : [stored[0], stored[1]];
}

/** The window that a state is at this time. */
function roll(stored: NoticedWindow | undefined, now: number, policy: NoticedPolicy): ToldWindow {
  const [count, ends] = fixedWindow.read(begunOf(stored), now, policy);
  const goesOn = stored !== undefined && (count > 0 || stored[1] === ends);
  return [count, ends, goesOn ? (stored[2] ?? count) : 0];
}
