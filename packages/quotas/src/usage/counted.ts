import {
  chain,
  type Charge,
  type Claim,
  ConfigError,
  isAmbiguousName,
  type Store,
  type TierDefinition,
} from '@sluice/core/internal';
import { usageLedgerOf } from './usage-ledgers.js';

/** The same charge, whose usage has the labels of its owners. A store counts it with the charge, or here. */
export function counted(store: Store, charge: Charge): Charge {
  const ledger = usageLedgerOf(store);
  if (ledger?.count === undefined)
    return (claims, labels) => charge(labels ? labelled(claims, labels) : claims, labels);
  return (claims, labels) =>
    chain(charge(claims, labels), (answer) => {
      ledger.count!(answer.receipts, labels);
      return answer;
    });
}

/** A claim is made for one request, and a copy of each would double the garbage of a check. */
function labelled(claims: readonly Claim[], labels: ReadonlyMap<string, string>): readonly Claim[] {
  for (const claim of claims) if (claim.policy.usage) claim.label = labels.get(claim.tier);
  return claims;
}

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
