import type { Demand } from './demand.js';
import { searchOf } from './limit-search.js';
import { isByRequest, type ReplayTier } from './replayed-request.js';

/** The lowest limit of a tier that, on its own, denies less than a share of some clients. */
export interface Proposal {
  readonly tier: string;
  /** Whose share it is: that of all clients, or that of those that look like people. */
  readonly by: 'clients' | 'people';
  readonly limit: number;
  /** How many of them it denies. */
  readonly denied: number;
  readonly of: number;
}

/**
 * The lowest limits that deny less than a share of all clients, and of those that look like people. Programs are few and
 * busy: with them among the clients, a limit that spares 999 of 1 000 may be several times what people need. There is
 * none for a tier whose limit is no number, or with functions of the request.
 */
export async function proposalsOf(
  demand: Demand,
  tiers: readonly ReplayTier[],
  { below, signal }: { readonly below: number; readonly signal: AbortSignal },
): Promise<readonly Proposal[]> {
  const audiences = [
    { by: 'clients', clients: demand.clients },
    { by: 'people', clients: demand.clients.filter(({ sign }) => sign === undefined) },
  ] as const;
  const found: Proposal[] = [];
  for (const tier of tiers) {
    if (!('limit' in tier) || typeof tier.limit !== 'number' || isByRequest(tier)) continue;
    const search = searchOf(demand, tier, signal);
    for (const { by, clients } of audiences) {
      if (clients.length === 0) continue;
      // Below the share, not at it.
      const most = Math.ceil(clients.length * below) - 1;
      found.push({ tier: tier.name, by, ...(await search(clients, most)), of: clients.length });
    }
  }
  return found;
}

/** Tiers with the limits that people need, or all clients where none looks like people. */
export function proposedTiers(tiers: readonly ReplayTier[], proposals: readonly Proposal[]): readonly ReplayTier[] {
  return tiers.map((tier) => {
    const own = proposals.filter((proposal) => proposal.tier === tier.name);
    const { limit } = own.find(({ by }) => by === 'people') ?? own[0]!;
    return { ...tier, limit, name: `${limit}/${tier.name}` } as ReplayTier;
  });
}
