import type { Policy } from '../model/policy.js';
import type { Ruling } from '../model/ruling.js';

/** What a claim requested, and how it was decided. */
export interface ClaimResult {
  readonly cost: number;
  /** Units that were charged. */
  readonly charged: number;
  /** The ticks to wait: 0 if the claim fitted, and NEVER if it cannot fit. */
  readonly retryAfter: number;
  /** The stored state that it found. */
  readonly stored?: unknown;
}

/** The numbers of states. Arrays of one kind alone, which V8 reads without a test of their kind. */
export type Cells = Float64Array;

/**
 * The steps of an algorithm in place, for states that are always as many numbers. `at` is the index of the first one, and
 * where there is no state all of them are 0. The steps of `Algorithm` are the same ones, on arrays of their own.
 */
export interface Kernel<P extends Policy = Policy> {
  /** Numbers of a state. */
  readonly width: 2 | 3;
  /** Set where a denial needs more than the state: the steps of `Algorithm` decide it. */
  readonly leavesDenials?: true;
  /** `read` in place. @returns true for a state that was ahead of the clock */
  roll(cells: Cells, at: number, now: number, policy: P): boolean;
  wait(cells: Cells, at: number, now: number, policy: P, cost: number): number;
  /** Whole units that are left. */
  remaining(cells: Cells, at: number, now: number, policy: P): number;
  charge(cells: Cells, at: number, now: number, policy: P, cost: number): void;
  describe(cells: Cells, at: number, now: number, policy: P, result: ClaimResult): Ruling;
}

const copied = new Float64Array(3);

/** A copy of a state that is valid for one step, because the next call reuses it. */
export function cellsOf(state: readonly number[]): Cells {
  copied[0] = state[0]!;
  copied[1] = state[1]!;
  copied[2] = state[2] ?? 0;
  return copied;
}
