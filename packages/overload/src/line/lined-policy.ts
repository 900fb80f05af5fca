import type { Policy } from '@sluice/core/internal';

/** A policy whose denied requests stand in line. */
export interface LinedPolicy extends Policy {
  /** The same policy without a line. */
  readonly plain: Policy;
  readonly line: LineTerms;
}

/** What its Lua twin reads behind the other numbers of the policy, in ticks. */
export interface LineTerms {
  /** The longest wait that is told. */
  readonly longest: number;
  /** How long a place is kept. 0 for a line that keeps none. */
  readonly keep: number;
  /** A caller needs to bring nothing, because the store has its place. */
  readonly by: boolean;
  /** The time between two units that are told of one fixed window. 0 for other limits. */
  readonly slice: number;
}

/** True for a policy with a line, also of another copy of this package. */
export function isLined(policy: Policy): policy is LinedPolicy {
  return (policy as Partial<LinedPolicy>).line !== undefined;
}
