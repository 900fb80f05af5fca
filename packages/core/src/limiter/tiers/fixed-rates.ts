import { algorithmOf } from '../../algorithms/algorithm.js';
import type { Rate } from '../../stores/decided-rates.js';
import type { TierDefinition } from './tier-definition.js';

/** What the tiers charge. Undefined where one of them needs more than a kernel. */
export function fixedRates(tiers: readonly TierDefinition<never>[]): readonly Rate[] | undefined {
  const rates = tiers.map(rateOf);
  return rates.length > 0 && rates.every((rate) => rate !== undefined) ? rates : undefined;
}

function rateOf(tier: TierDefinition<never>): Rate | undefined {
  const { name, policy, shadow, cost, charge, takesAll } = tier;
  const algorithm = algorithmOf(policy);
  const kernel = algorithm.kernel(policy);
  const isPlain = tier.isStatic && charge === 'admitted' && !takesAll;
  if (kernel === undefined || !isPlain) return undefined;
  return { tier: name, policy, kernel, shadow, cost: typeof cost === 'number' ? cost : undefined };
}
