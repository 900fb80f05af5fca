import { candidate, peekGroup } from '../algorithms/group.js';
import type { Claim } from '../model/claim.js';
import { admitsNothing } from '../model/policy.js';
import { toAnswer } from './answer.js';
import type { Answer } from '../model/answer.js';

/** False for claims that are decided without a state: there is none, or all have a limit of 0. */
export function needStore(claims: readonly Claim[]): boolean {
  for (let place = 0; place < claims.length; place += 1) if (!admitsNothing(claims[place]!.policy)) return true;
  return false;
}

/** The answer to claims that need no store. */
export function answerWithoutStore(claims: readonly Claim[]): Answer {
  const now = Date.now() * 1e3;
  const candidates = claims.map((claim) => candidate(claim, undefined));
  peekGroup(candidates, now);
  const rulings = candidates.map(({ ruling }) => ruling!);
  return toAnswer(claims, rulings, { source: 'none', now });
}
