export type AlgorithmName =
  | 'fixed-window'
  | 'sliding-window'
  | 'sliding-window-log'
  | 'token-bucket'
  | 'leaky-bucket'
  | 'multi-window';

/** Two letters that stand for an algorithm in keys and in the names of scripts. */
export type AlgorithmCode = 'fw' | 'sw' | 'sl' | 'tb' | 'lb' | 'mw';

/**
 * Immutable numbers: an algorithm, and what it needs to decide. Made once by the algorithm's `define`, which checks
 * them, and trusted ever after.
 */
export interface Policy {
  readonly algorithm: AlgorithmName;
  /** Units that a window allows. */
  readonly limit: number;
  /** What clients are shown as the limit: of a bucket, what it holds. */
  readonly quota: number;
  /** The cost that can just fit an unused budget: what is above it never fits. */
  readonly capacity: number;
  /** The time that `limit` refers to, in microseconds; the longest of several. */
  readonly window: number;
  /** The unit of time that the algorithm counts in, in microseconds. */
  readonly tick: number;
  /** The windows of a policy that has several, longest first. */
  readonly windows?: readonly LimitedWindow[];
  /** What state depends on: two policies of equal dimensions can share it, whatever their limits. */
  readonly dimensions: string;
  /** The integers that the Lua twin is given, in its order. */
  readonly numbers: readonly number[];
}

export interface LimitedWindow {
  /** Units that the window allows. */
  readonly limit: number;
  /** In microseconds. */
  readonly window: number;
}

const texts = new WeakMap<Policy, string>();

/** True when two policies decide alike. */
export function samePolicy(one: Policy, other: Policy): boolean {
  return one === other || policyText(one) === policyText(other);
}

/** Text that is the same only for policies that decide alike. */
export function policyText(policy: Policy): string {
  const known = texts.get(policy);
  if (known !== undefined) return known;
  const text = `${policy.dimensions} ${policy.numbers.join()}`;
  texts.set(policy, text);
  return text;
}
