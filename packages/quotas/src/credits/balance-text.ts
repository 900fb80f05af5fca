import { coveredBy, type Inspection } from '@sluice/core/internal';

/** What a balance does for the next request. */
export interface BalanceText {
  readonly text: string;
  /** False for a balance that pays for nothing, which no operator may take for a request that fits. */
  readonly isEnough: boolean;
}

/** In words what a balance does for the next request; one that covers tiers denies none itself. Undefined for other tiers. */
export function balanceText({ policy, outcome, fitsAt }: Inspection): BalanceText | undefined {
  if (!policy.algorithm.neverRefills) return undefined;
  const covered = coveredBy(policy)?.join(', ');
  if (fitsAt !== Infinity) {
    return { text: covered === undefined ? 'The next request fits' : `It can pay for ${covered}`, isEnough: true };
  }
  const holds = outcome.remaining === 0 ? 'No credits left' : 'It holds too little';
  const ended = outcome.facts?.['ended'];
  const end = ended === undefined ? '' : `, and units ended at ${new Date(ended).toISOString()}`;
  const follows = covered === undefined ? 'it denies the request' : 'it pays for nothing';
  return { text: `${holds}${end}: ${follows}`, isEnough: false };
}
