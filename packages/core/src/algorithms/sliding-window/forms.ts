import { RATE_FACTS } from '../../model/algorithm-facts.js';
import type { Algorithm } from '../algorithm.js';
import { Stamps } from '../sliding-window-log/stamps.js';
import type { SlidingWindowPolicy, WindowState } from './sliding-policy.js';
import type { Ring } from './slots.js';

type Steps<State> = Pick<
  Algorithm<SlidingWindowPolicy, State>,
  'isAhead' | 'wait' | 'remaining' | 'describe' | 'refund' | 'expiresAt' | 'terms'
>;

/** The steps on states of one form. */
export interface Form<State> extends Steps<State> {
  read(stored: State, now: number, policy: SlidingWindowPolicy): State;
  /** The state after units that fit, in the form that the limit charges. */
  charge(state: State, now: number, policy: SlidingWindowPolicy, units: number): WindowState;
}

/** What the limits of a window do with both forms of its state. */
export interface Forms {
  readonly log: Form<Stamps>;
  readonly ring: Form<Ring>;
  /** The state of a key without one. */
  readonly empty: (now: number, policy: SlidingWindowPolicy) => WindowState;
}

type FormedAlgorithm = Algorithm<SlidingWindowPolicy, WindowState>;

/** An algorithm whose key may have either form, because another limit has charged it. */
export function eitherForm({ log, ring, empty }: Forms): Omit<FormedAlgorithm, 'packing'> {
  const formOf = (state: WindowState) => (Array.isArray(state) ? ring : log) as Form<WindowState>;
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
      const form = formOf(state);
      const units = Math.min(cost, form.remaining(state, now, policy));
      if (units === 0) return state;
      return form.charge(state, now, policy, units);
    },
    describe: (state, now, policy, result) => formOf(state).describe(state, now, policy, result),
    /** In the form of the stored state, which can be another than that of the receipt. */
    refund: (stored, now, policy, receipt) => formOf(stored).refund(stored, now, policy, receipt),
    expiresAt: (state, policy) => formOf(state).expiresAt(state, policy),
    terms: (state, now, policy, cost) => formOf(state).terms(state, now, policy, cost),
    revive: (json) => ('log' in json ? Stamps.revive(json) : (json as Ring)),
  };
}
