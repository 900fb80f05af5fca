import {
  ConfigError,
  coveredBy,
  isFeatureValue,
  show,
  type Tier,
  type TierContext,
  type TierDefinition,
} from '@sluice/core/internal';
import type { Balance } from './balance.js';

/** What a balance takes of the tiers that it covers, unless it has its own. */
const INHERITED = ['cost', 'unit'] as const;

/** The tiers with the cost and the unit of each balance: those of the tiers that it covers. @throws ConfigError COST_INVALID */
export function withCoveredCosts<S>(tiers: readonly Tier<S>[]): readonly Tier<S>[] {
  return tiers.map((tier) => {
    const names = coversOf(tier);
    if (names === undefined) return tier;
    if ((tier.algorithm as unknown as Balance).split && tier.cost !== undefined) {
      const rule = 'cannot be combined with a cost of its own: the tier and the balance pay parts of one cost';
      throw new ConfigError('OPTION_INVALID', 'split', undefined, `tier "${tier.name}" (balance): split ${rule}`, {
        tier: tier.name!,
      });
    }
    const covered = tiers.filter((each) => names.includes(each?.name));
    const inherited = INHERITED.flatMap((option) => {
      if (tier[option] !== undefined || covered.length === 0) return [];
      const [first, ...others] = covered.map((each) => each[option]);
      if (others.every((each) => each === first)) return first === undefined ? [] : [[option, first] as const];
      const message = `tier "${tier.name}" (balance): ${option} is missing: it must be given where the covered tiers have several`;
      throw new ConfigError(option === 'cost' ? 'COST_INVALID' : 'OPTION_INVALID', option, undefined, message, {
        tier: tier.name!,
      });
    });
    return inherited.length === 0 ? tier : { ...tier, ...Object.fromEntries(inherited) };
  });
}

/** The option of a tier that was not checked yet. */
function coversOf(tier: unknown): readonly unknown[] | undefined {
  const { algorithm } = Object(tier) as { algorithm?: unknown };
  return isFeatureValue(algorithm, 'balance') ? (algorithm as Balance).covers : undefined;
}

/** @throws ConfigError OPTION_INVALID */
export function checkCoveredTiers(
  tiers: readonly TierDefinition<never>[],
  { store, isPartitioned }: Pick<TierContext<never>, 'store' | 'isPartitioned'>,
): void {
  for (const balance of tiers) {
    if (balance.policy.algorithm.neverRefills && typeof store.act !== 'function') {
      throw failure(balance, 'algorithm', 'must not be "balance" with this store, which has no method act', 'balance');
    }
    const covered = coveredBy(balance.policy);
    if (covered !== undefined && (balance.shadow || balance.stage !== undefined)) {
      const rule = "cannot be combined with enforce and mode: 'shadow' or 'demote': it denies no request";
      throw failure(balance, 'covers', rule);
    }
    for (const name of covered ?? []) {
      const tier = tiers.find((each) => each.name === name);
      const fail = (rule: string) => failure(balance, 'covers', `${rule}, got ${show(name)}`, name);
      if (tier === undefined) {
        const known = tiers.flatMap((each) => (each === balance ? [] : each.name)).join(', ');
        throw fail(`must name other tiers of this limiter (${known || 'it has none'})`);
      }
      if (tier.policy.algorithm.refill === undefined || tier.charge !== 'admitted') {
        throw fail('must name rates that charge admitted requests');
      }
      if (tier.lease !== undefined)
        throw fail('must name tiers without lease: their units may be spent without the store');
      if (store.isCluster && !isPartitioned && tier.key !== balance.key) {
        const remedy = `write partition: (subject) => the identity of both, or give both tiers the same key function`;
        throw fail(`must name tiers in the slot of the balance on a Cluster: ${remedy}`);
      }
    }
  }
}

function failure({ owner, name }: TierDefinition<never>, option: string, rule: string, value?: string): ConfigError {
  return new ConfigError('OPTION_INVALID', option, value, `${owner} (balance): ${option} ${rule}`, { tier: name });
}
