import {
  type IdentityDigest,
  type Key,
  type Requests,
  show,
  type StateKey,
  type TierDefinition,
} from '@sluice/core/internal';
import { invalid, type BalanceChoice, type IdentityChoice } from './call-options.js';

/** A balance that a call is about. */
export interface FoundBalance extends StateKey {
  readonly tier: string;
}

/** Whose balance: that of a subject, or of an identity. */
export type Owner<S> = { readonly subject: Partial<S> } | { readonly identity: Key | IdentityDigest };

const EXAMPLE = "{ name: 'credits', key, algorithm: balance({ covers: ['month'] }) }";

/** @throws UsageError without such a balance */
export async function findBalance<S>(
  { book, claimBuilder }: Requests<S>,
  owner: Owner<S>,
  { call, tier, partition }: BalanceChoice & IdentityChoice & { readonly call: string },
): Promise<FoundBalance> {
  if ('identity' in owner) {
    const known = balanceTier(book.known(), { call, tier });
    return claimBuilder.buildFor([known], owner.identity, { cost: 1, partition }).claims[0]!;
  }
  const own = balanceTier(await book.tiersFor(owner.subject as S), { call, tier });
  const { claims } = await claimBuilder.buildUnits([own], owner.subject as S);
  return claims[0]!;
}

function balanceTier<S>(
  tiers: readonly TierDefinition<S>[],
  { call, tier }: BalanceChoice & { readonly call: string },
): TierDefinition<S> {
  const balances = tiers.filter(({ policy }) => policy.algorithm.neverRefills);
  const names = balances.map(({ name }) => name).join(', ');
  if (balances.length === 0) throw invalid(`${call}: the limiter needs a tier with a balance, such as ${EXAMPLE}`);
  const found = tier === undefined ? balances[0]! : balances.find(({ name }) => name === tier);
  if (found === undefined)
    throw invalid(`${call}: tier must name a balance of this limiter (${names}), got ${show(tier)}`);
  if (tier === undefined && balances.length > 1)
    throw invalid(`${call}: tier must name one of the balances (${names})`);
  return found;
}
