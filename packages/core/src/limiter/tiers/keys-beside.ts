import { beside } from '../../algorithms/beside.js';
import type { Policy } from '../../model/policy.js';

/** The keys of states, and those of the numbers that features have beside them. @param keys one for each tier */
export function withBeside(tiers: readonly { readonly policy: Policy }[], keys: readonly string[]): readonly string[] {
  return keys.flatMap((key, place) => [key, ...(beside.of(tiers[place]!.policy)?.keysOf(key) ?? [])]);
}
