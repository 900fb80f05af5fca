import { type Claim, claimNotes, type Layer, type TierDefinition } from '@sluice/core/internal';
import { isLined } from './lined-policy.js';
import { openedPlace, sealedPlace } from './place-text.js';
import type { PlaceNote } from './standing.js';

/** Tells claims which places their requests bring. */
export function placeLayer(tiers: readonly TierDefinition<never>[]): Layer {
  const tier = tiers.find(({ features }) => features.some(({ name }) => name === 'line'))!;
  return {
    before({ group, facts, isPeek }) {
      const place = facts?.brought?.place;
      if (place === undefined || isPeek) return undefined;
      for (const claim of group) {
        if (claim.tier === tier.name && isLined(claim.policy)) claimNotes.set(claim, noteOf(claim, place, tier));
      }
      return undefined;
    },
  };
}

function noteOf(claim: Claim, place: string | true, { digestOf }: TierDefinition<never>): PlaceNote {
  return {
    asks: true,
    place: place === true ? 0 : openedPlace(claim, place, digestOf),
    seal: (at) => sealedPlace(claim, at, digestOf),
  };
}
