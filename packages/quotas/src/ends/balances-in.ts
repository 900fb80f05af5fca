import { limitersOf, type Policy, type Store } from '@sluice/core/internal';
import { tellingOf } from '../credits/low-marks.js';

/** Policies by the names of their tiers. */
export type Balances = ReadonlyMap<string, Policy>;

/** The balances of all limiters, under each prefix. One that gives notices comes before others of its name. */
export function balancesIn(store: Store): ReadonlyMap<string, Balances> {
  const all = new Map<string, Map<string, Policy>>();
  for (const { prefix, tiers } of limitersOf(store)) {
    const known = all.get(prefix) ?? new Map<string, Policy>();
    for (const { name, policy } of tiers) {
      if (!policy.algorithm.neverRefills) continue;
      known.set(name, tellingOf(policy) === undefined ? (known.get(name) ?? policy) : policy);
    }
    if (known.size > 0) all.set(prefix, known);
  }
  return all;
}
