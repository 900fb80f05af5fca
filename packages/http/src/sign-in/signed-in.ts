import { type Decision, factsOf, settle, TieredDecision, UsageError } from '@sluice/core/internal';
import { LANES, MARKS } from './login-tiers.js';

const BUDGETS = [...LANES, 'login-known', 'login-pair', 'login-challenged', 'login-address'];

/** A success was no guess, and its network and device are known from now on. */
const SUCCESS = Object.fromEntries([...BUDGETS.map((name) => [name, 0]), ...MARKS.map((name) => [name, 1])]);

/**
 * Tells `loginTiers` that a sign-in has succeeded, when nothing of it is left to check. It gives back what the request was
 * charged, and no strike of others. From then on its network and its device have a budget of their own for the account, for
 * at least 30 days after each success.
 *
 * @param decision of the request. Undefined for one that was not counted: then there is nothing to do
 * @throws UsageError, as a rejection, for a decision that was denied, or that no limit with `loginTiers` has made
 * @example if (isRight) await signedIn(request.rateLimit);
 */
export async function signedIn(decision: Decision | undefined): Promise<void> {
  if (decision === undefined) return;
  const limiter = TieredDecision.findLimiter(decision);
  if (!decision.allowed || limiter === undefined || factsOf(limiter).isSignInLimiter !== true) {
    const rule = 'signedIn takes a decision of a limit with loginTiers that has admitted the request';
    throw new UsageError('USAGE_INVALID', rule);
  }
  await settle(decision, SUCCESS);
}

/**
 * True if guesses of the account from elsewhere alone deny a sign-in: neither its network nor its device has guessed too
 * often. Ask the client for a challenge then, such as a CAPTCHA or a second factor, and let `challenged` of `loginTiers`
 * verify it.
 *
 * @example onDenied: (request, response) => response.status(429).json({ challenge: needsChallenge(request.rateLimit) })
 */
export function needsChallenge(decision: Decision | undefined): boolean {
  const { deniedBy = [] } = decision ?? {};
  return deniedBy.length > 0 && deniedBy.every((tier) => LANES.includes(tier));
}
