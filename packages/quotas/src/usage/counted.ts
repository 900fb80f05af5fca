import { ConfigError, isAmbiguousName, type Layer, type Store, type TierDefinition } from '@sluice/core/internal';
import { usageLedgerOf } from './usage-ledgers.js';

/** Gives claims the labels of their owners. A store counts usage with the charge, or here. */
export function usageLayer(store: Store): Layer {
  const ledger = usageLedgerOf(store);
  if (ledger?.count === undefined) return labelling;
  return {
    onAnswer({ labels }, answer) {
      ledger.count!(answer.receipts, labels);
      return answer;
    },
  };
}

const labelling: Layer = {
  before({ group, labels }) {
    if (labels === undefined) return undefined;
    // A claim is made for one request, and a copy of each would double the garbage of a check.
    for (const claim of group) if (claim.policy.usage) claim.label = labels.get(claim.tier);
    return undefined;
  },
};

/** @throws ConfigError for tiers with usage on a store that counts none, or whose names begin as a digest does */
export function checkCounts(tiers: readonly TierDefinition<never>[], store: Store): void {
  const billed = tiers.filter(({ policy }) => policy.usage);
  const ambiguous = billed.find(({ name }) => isAmbiguousName(name));
  if (ambiguous !== undefined) {
    const rule =
      'a tier with usage must not begin with 22 letters and a colon, as the digest of a client does: rename it';
    const message = `${ambiguous.owner}: the name of ${rule}, got "${ambiguous.name}"`;
    throw new ConfigError('TIER_NAME_INVALID', 'name', ambiguous.name, message);
  }
  const [tier] = billed;
  if (tier === undefined || usageLedgerOf(store) !== undefined) return;
  const rule = 'needs memoryStore() or redisStore(…), because another store counts no usage: leave it out';
  throw new ConfigError('OPTION_INVALID', 'usage', true, `${tier.owner}: usage ${rule}, got true`);
}
