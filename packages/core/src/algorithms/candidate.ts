import type { Claim } from '../model/claim.js';
import type { Ruling } from '../model/ruling.js';
import type { Algorithm } from './algorithm.js';
import type { ClaimResult } from './kernel.js';

/** A claim that is being decided: the stored state goes in, the ruling and the next state come out. */
export interface Candidate extends ClaimResult {
  claim: Claim;
  readonly algorithm: Algorithm;
  /** The state as the store has it. It is undefined for a key without a state. */
  stored: unknown;
  /** The time of the decision, in the policy's ticks. */
  ticks: number;
  state: unknown;
  /** The store must save the state: units were charged, or the stored state is ahead of the clock. */
  changed: boolean;
  /** Units that the claim requests. */
  readonly cost: number;
  /** The ticks until the claim fits: 0 if it fits now, and NEVER if it cannot fit. */
  retryAfter: number;
  /** Units that were charged. */
  charged: number;
  /** What the store has beside its state. Undefined for claims that need none. */
  beside: BesideNumbers | undefined;
  /** Undefined until it is decided. */
  ruling: Ruling | undefined;
}

/** The numbers that a store has beside states. */
export interface BesideNumbers {
  get(key: string): readonly number[] | undefined;
  set(key: string, numbers: readonly number[]): void;
  delete(key: string): void;
}
