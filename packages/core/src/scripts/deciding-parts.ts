import { beside } from '../algorithms/beside.js';
import { wishing } from '../algorithms/wishing.js';
import type { Policy } from '../model/policy.js';
import type { Part } from './scripts.js';

/** The parts that policies of features add behind that of groups. */
export function decidingParts(policies: readonly Policy[]): readonly Part[] {
  const wishes: readonly Part[] = policies.some((policy) => wishing.of(policy) !== undefined) ? ['wishing-claims'] : [];
  const numbers = policies.flatMap((policy) => (beside.of(policy)?.part as Part | undefined) ?? []);
  return [...wishes, ...new Set(numbers)];
}
