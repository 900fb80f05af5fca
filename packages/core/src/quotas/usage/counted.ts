import { chain } from '../../async/deferred.js';
import type { Charge } from '../../limiter/quota-layer.js';
import type { TierDefinition } from '../../limiter/tiers/tier-definition.js';
import { ConfigError } from '../../model/errors.js';
import type { Store } from '../../stores/store.js';
import { usageLedgerOf } from './usage-ledgers.js';

/** The same charge, in a store that counts usage beside its charges. */
export function counted(store: Store, charge: Charge): Charge {
  const ledger = usageLedgerOf(store);
  if (ledger?.count === undefined) return charge;
  return (claims, labels) =>
    chain(charge(claims, labels), (answer) => {
      ledger.count!(answer.receipts);
      return answer;
    });
}

/** @throws ConfigError for tiers with usage on a store that counts none */
export function checkCounts(tiers: readonly TierDefinition<never>[], store: Store): void {
  const tier = tiers.find(({ policy }) => policy.usage);
  if (tier === undefined || usageLedgerOf(store) !== undefined) return;
  const rule = 'needs memoryStore() or redisStore(…), because another store counts no usage: leave it out';
  throw new ConfigError('OPTION_INVALID', 'usage', true, `${tier.owner}: usage ${rule}, got true`);
}
