import type { Policy } from '../model/policy.js';
import type { Ruling } from '../model/ruling.js';
import type { Algorithm, ClaimResult } from './algorithm.js';

/** The numbers of a state, from an index on: those of an array, or of the table of a memory store. */
export type Cells = number[] | Float64Array;

/**
 * The steps of an algorithm in place, for states that are always as many numbers. `at` is the index of the first one, and
 * where there is no state all of them are 0. The steps of `Algorithm` are the same ones, on arrays of their own.
 */
export interface Kernel<P extends Policy = Policy> {
  /** Numbers of a state. */
  readonly width: 2 | 3;
  /** `read` in place. @returns true for a state that was ahead of the clock */
  roll(cells: Cells, at: number, now: number, policy: P): boolean;
  wait(cells: Cells, at: number, now: number, policy: P, cost: number): number;
  charge(cells: Cells, at: number, now: number, policy: P, cost: number): void;
  describe(cells: Cells, at: number, now: number, policy: P, result: ClaimResult): Ruling;
}

type Steps<P extends Policy, State> = Pick<Algorithm<P, State>, 'wait' | 'charge' | 'describe'>;

/** The steps of a kernel on states that do not change. */
export function stepsOf<P extends Policy, State extends readonly number[]>(kernel: Kernel<P>): Steps<P, State> {
  return {
    wait: (state, now, policy, cost) => kernel.wait(cellsOf(state), 0, now, policy, cost),
    charge(state, now, policy, cost) {
      const next = kernel.width === 2 ? [state[0]!, state[1]!] : [state[0]!, state[1]!, state[2]!];
      kernel.charge(next, 0, now, policy, cost);
      return next as readonly number[] as State;
    },
    describe: (state, now, policy, result) => kernel.describe(cellsOf(state), 0, now, policy, result),
  };
}

/** A state for a step that only reads. */
export function cellsOf(state: readonly number[]): Cells {
  return state as number[];
}
