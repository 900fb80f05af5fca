import type { Decision } from '../../../packages/core/src/index.js';

/**
 * What a tier with `mode: 'demote'` says of a request, as the decision that it would make if it denied. A tier that demotes
 * has the laws of one that denies, but for what happens to the request.
 *
 * @param fail called if the tier denies the request, or does not mark what it would deny
 */
export function verdictOf(decision: Decision, fail: (problem: string) => void): Decision {
  const { allowed, reason, demotedBy, outcomes } = decision;
  const [outcome] = outcomes;
  if (!allowed) {
    if (reason !== 'unavailable') fail(`a tier that demotes has ${reason} a request`);
    return decision;
  }
  const isMarked = demotedBy !== undefined;
  if (isMarked !== (outcome?.allowed === false))
    fail(`marked by ${demotedBy?.join()}, with ${JSON.stringify(outcome)}`);
  if (!isMarked) return decision;
  const { retryAfter, never } = outcome!;
  return { ...decision, allowed: false, reason: never ? 'never' : 'denied', deniedBy: demotedBy, retryAfter };
}
