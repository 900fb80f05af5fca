import { RATE_FACTS } from '../../model/algorithm-facts.js';
import type { Algorithm } from '../algorithm.js';
import { chargeLog, emptyLog } from '../sliding-window-log/log.js';
import { Stamps, ToldStamps } from '../sliding-window-log/stamps.js';
import type { Form } from './form.js';
import { logForm, toLog, toRing } from './log-form.js';
import { pairOfSlots, unpackPair } from './pair-of-slots.js';
import { ringForm } from './ring-form.js';
import type { SlidingWindowPolicy, WindowState } from './sliding-policy.js';
import { chargeRing, readRing, unpackRing, type Ring } from './slots.js';

type WindowAlgorithm = Algorithm<SlidingWindowPolicy, WindowState>;

/** How a limit charges: in its own form. */
interface Charging {
  /** The state of a key without one. */
  readonly empty: (now: number, policy: SlidingWindowPolicy) => WindowState;
  /** The state after units that fit. */
  readonly charge: (state: WindowState, now: number, policy: SlidingWindowPolicy, units: number) => WindowState;
}

/** An algorithm whose key may have either form, because another limit has charged it. */
function eitherForm({ empty, charge }: Charging): Omit<WindowAlgorithm, 'packing'> {
  return {
    ...RATE_FACTS,
    mayLease: true,
    name: 'sliding-window',
    code: 'sw',
    twin: 'sw',
    isAhead: (stored, now, policy) => formOf(stored).isAhead(stored, now, policy),
    read: (stored, now, policy) =>
      stored === undefined ? empty(now, policy) : formOf(stored).read(stored, now, policy),
    wait: (state, now, policy, cost) => formOf(state).wait(state, now, policy, cost),
    remaining: (state, now, policy) => formOf(state).remaining(state, now, policy),
    /** Only a charged unit changes the form: a denial forgets none, and its answer stays true. */
    charge(state, now, policy, cost) {
      const units = Math.min(cost, formOf(state).remaining(state, now, policy));
      if (units === 0) return state;
      return charge(state, now, policy, units);
    },
    describe: (state, now, policy, result) => formOf(state).describe(state, now, policy, result),
    /** In the form of the stored state, which can be another than that of the receipt. */
    refund: (stored, now, policy, receipt) => formOf(stored).refund(stored, now, policy, receipt),
    expiresAt: (state, policy) => formOf(state).expiresAt(state, policy),
    terms: (state, now, policy, cost) => formOf(state).terms(state, now, policy, cost),
    revive: (json) => ('log' in json ? Stamps.revive(json) : (json as Ring)),
  };
}

/** Stores the time of each unit, and so admits exactly the limit in any window. */
export const windowLog: WindowAlgorithm = {
  ...eitherForm({
    empty: emptyLog,
    charge: (state, now, policy, units) =>
      chargeLog(isRing(state) ? toLog(state, now, policy) : state, now, policy, units),
  }),
  packing: {
    path: () => 'log',
    unpack: (numbers, position) => ToldStamps.unpack(numbers, position),
  },
};

/** Counts units in slots, and the oldest slot by the share that the window still covers, or in full where it is strict. */
export const windowRing: WindowAlgorithm = {
  ...eitherForm({
    empty: (now, policy) => readRing(undefined, now, policy),
    charge: (state, now, policy, units) => chargeRing(isRing(state) ? state : toRing(state, now, policy), units),
  }),
  packing: { path: () => 'ring', unpack: unpackRing },
};

/** The same of one slot and the one before it, whose states are three numbers: the default above a limit of 64. */
export const windowCounter: WindowAlgorithm = {
  ...windowRing,
  packing: {
    // A strict window that denies writes nothing, and this script charges first.
    path: ({ strict }) => (strict ? undefined : 'sw'),
    unpack: unpackPair,
  },
  kernel: () => pairOfSlots,
};

function isRing(state: WindowState): state is Ring {
  return Array.isArray(state);
}

function formOf(state: WindowState): Form<WindowState> {
  return isRing(state) ? ringForm : logForm;
}
