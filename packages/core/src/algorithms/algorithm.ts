import type { OptionReader } from '../options/option-reader.js';
import type { Ruling } from '../model/ruling.js';
import type { AlgorithmCode, AlgorithmName, Policy } from '../model/policy.js';

/**
 * A pure function of integers, taken apart into its steps. It does no IO and knows no clock: `now` comes in, in ticks
 * of the policy. The Lua twin beside it has the same steps under the same names.
 */
export interface Algorithm<P extends Policy = Policy, State = unknown> {
  readonly name: AlgorithmName;
  /** Two letters that stand for it in keys. */
  readonly code: AlgorithmCode;
  /** The names of the options that `define` reads. */
  readonly options: readonly string[];
  /** Makes a policy of checked options. @throws ConfigError */
  define(options: OptionReader): P;
  /** True for state that is dated later than `now` allows: the clock stepped back, or the limit was cut. */
  ahead(stored: State, now: number, policy: P): boolean;
  /** The state as it stands at `now`: rolled forward, or re-dated where it was ahead. */
  read(stored: State | undefined, now: number, policy: P): State;
  /** Ticks until `cost` fits when nobody else spends; 0: it fits now. `cost` is at most the policy's capacity. */
  wait(state: State, now: number, policy: P, cost: number): number;
  /** Whole units that are left. */
  remaining(state: State, now: number, policy: P): number;
  /** The state after `cost` units, at most up to full. */
  charge(state: State, now: number, policy: P, cost: number): State;
  /** What clients are told of the state that a request has left behind. */
  describe(state: State, now: number, policy: P, asked: Asked): Ruling;
  /**
   * Gives back what a receipt stands for, at most what is still held. Takes the state as it was kept: the policy is the
   * receipt's, and the key's limit may be another one by now. Nothing changes when nothing is given.
   */
  refund(stored: State, now: number, policy: P, receipt: Charge): Refund<State>;
  /** When the state has become worthless, in ticks: it may be forgotten then, and not before. */
  expiresAt(state: State, policy: P): number;
}

/** What a request asked for, and what came of it. */
export interface Asked {
  readonly cost: number;
  /** Units that were charged. */
  readonly charged: number;
  /** Ticks to wait; 0: it fitted; NEVER: it cannot. */
  readonly retryAfter: number;
}

/** Units that were charged at `at`, when the budget was to be full again at `until`. */
export interface Charge {
  readonly units: number;
  readonly at: number;
  readonly until: number;
}

export interface Refund<State> {
  readonly state: State;
  /** Whole units that were given back. */
  readonly given: number;
}
