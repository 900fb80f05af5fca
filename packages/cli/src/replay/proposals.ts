import { Trial } from '../limits/trial.js';
import type { Demand } from './demand.js';
import { propose, type Proposal } from './proposal.js';
import type { ReplayTier } from './replayed-request.js';

/**
 * The lowest limits that deny less than a share of all clients, and of those that look like people. Programs are few and
 * busy: with them among the clients, a limit that spares 999 of 1 000 may be several times what people need.
 */
export async function proposalsOf(
  { clients, recording }: Demand,
  tiers: readonly ReplayTier[],
  below: number,
): Promise<readonly Proposal[]> {
  const all = [...clients.all()];
  const audiences = [
    { by: 'clients', clients: all, below },
    { by: 'people', clients: all.filter(({ sign }) => sign === undefined), below },
  ] as const;
  const places = new Trial(tiers).tiers.map(({ name }) => name);
  const found: Proposal[] = [];
  for (const tier of tiers) {
    for (const audience of audiences) {
      const proposal = await propose(recording!, tier, places.indexOf(tier.name), audience);
      if (proposal) found.push(proposal);
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
