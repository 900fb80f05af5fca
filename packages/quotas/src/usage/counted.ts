import {
  ConfigError,
  isAmbiguousName,
  isCounted,
  type Layer,
  type Store,
  type TierDefinition,
} from '@sluice/core/internal';
import { usageLedgerOf } from './usage-ledgers.js';

/** Counts usage beside a store. Undefined for one that counts it with the charge. */
export function usageLayer(store: Store): Layer | undefined {
  const ledger = usageLedgerOf(store);
  if (ledger?.count === undefined) return undefined;
  return {
    onAnswer({ facts }, answer) {
      ledger.count!(answer.receipts, facts?.labels);
      return answer;
    },
  };
}

/** @throws ConfigError for tiers with usage on a store that counts none, or whose names begin as a digest does */
export function checkCounts(tiers: readonly TierDefinition<never>[], store: Store): void {
  const billed = tiers.filter(({ policy }) => isCounted(policy));
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
