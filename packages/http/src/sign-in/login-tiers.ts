import {
  chain,
  type Decision,
  FUNCTION,
  type MaybePromise,
  type OptionRows,
  type Outcome,
  readOptions,
  type Tier,
  type TierFunction,
} from '@sluice/core/internal';
import { invalidFlag } from '../gate/invalid-flag.js';
import type { HttpRequest } from '../request/request.js';
import { SignIns } from './sign-in.js';

/** The options of `loginTiers`. `S` is the request of the framework. */
export interface LoginTiersOptions<S> {
  /**
   * Returns the account that the request wants to sign in to, as the client has sent it, whether it exists or not.
   * Spellings in another case, with blanks around or in another form of Unicode are one account. All values that are
   * neither text nor whole numbers are one account too.
   *
   * @example account: ({ body }) => body?.email
   */
  account: (request: S) => MaybePromise<unknown>;
  /**
   * Returns the id of a device, such as a random cookie of 128 bits. After a sign-in that succeeded there it has a
   * budget of its own for this account, so that no attack can lock its owner out. For a client without an id return the
   * one that you set when its sign-in succeeds: otherwise the device is known only after its second sign-in.
   *
   * @default the network of the request alone is known
   */
  device?: (request: S) => MaybePromise<string | undefined>;
  /**
   * Returns true for a request with a solved challenge, such as a CAPTCHA or a second factor. It is called where
   * guesses of the account from elsewhere alone deny. See `needsChallenge`.
   *
   * @default no challenge
   */
  challenged?: (request: S) => MaybePromise<boolean>;
}

const OWNER = 'loginTiers';
export const LOGIN_ROWS = {
  account: { is: 'function', words: 'a function of the request', required: true },
  device: FUNCTION,
  challenged: FUNCTION,
} as const satisfies OptionRows;

/** The tiers of guesses from networks that have never signed in. */
export const LANES: readonly string[] = ['login-new', 'login-account'];
/** The tiers that remember a success. They deny nothing. */
export const MARKS: readonly string[] = ['login-seen', 'login-device'];

/** Tries of a network that count as those of a new one, and up to 6 at the same time. An owner mistypes. */
const FIRST_TRIES = 3;
const PAIR_LIMIT = 5;

/**
 * The tiers of a sign-in. A network or a device that has signed in to the account before has a budget of its own: 20
 * failures at once, 100 a day. All others together have 406 guesses of an account in a day, of which 300 are first
 * tries of a network: an attack from few addresses leaves them to the owner. One network has 33 guesses of an account
 * in a day, and 100 failures a day with a burst of a day.
 *
 * Put the limit after the parser of the body, and call `signedIn` when a sign-in has succeeded. Responses have no
 * header but `Retry-After`: others would tell strangers when the owner signs in.
 *
 * @throws ConfigError OPTION_INVALID, OPTION_UNKNOWN
 * @example
 * const login = rateLimit({ store, tiers: loginTiers({ account: ({ body }) => body?.email }) });
 */
export function loginTiers<S extends HttpRequest>(options: LoginTiersOptions<S>): TierFunction<S> {
  readOptions(OWNER, options, LOGIN_ROWS);
  const { account, device, challenged } = options;
  const signIns = new SignIns<S>({ account, device });
  const plans = plansOf(signIns, device !== undefined);

  const choose: TierFunction<S> = (request, limiter) =>
    chain(signIns.read(request), (signIn) =>
      chain(limiter.peek(plans.all, request), (decision) => {
        const outcomes = new Map(decision.outcomes.map((outcome) => [outcome.tier, outcome]));
        if (signIn.device !== signIn.pair && hasSucceeded(outcomes.get('login-device'))) {
          signIn.place = signIn.device;
          return plans.device;
        }
        signIn.place = signIn.pair;
        if (hasSucceeded(outcomes.get('login-seen'))) return plans.network;
        const { remaining = PAIR_LIMIT } = outcomes.get('login-pair') ?? {};
        const lane = remaining > PAIR_LIMIT - FIRST_TRIES ? 'login-new' : 'login-account';
        if (challenged === undefined || !isDeniedBy(lane, decision)) return plans[lane];
        return chain(challenged(request), (isSolved: unknown) => {
          if (isSolved === true) return plans.challenged;
          if (!isSolved) return plans[lane];
          throw invalidFlag(OWNER, 'challenged', isSolved);
        });
      }),
    );
  return Object.assign(choose, { isSignIn: true as const, plans: Object.values(plans) });
}

function plansOf<S extends HttpRequest>(signIns: SignIns<S>, hasDevices: boolean) {
  const day = { algorithm: 'token-bucket', window: '1d' } as const;
  // Counted by `signedIn` alone. Two counters, so that each success counts for 30 to 60 days.
  const mark = { limit: 1_000_000, window: '30d', cost: () => 0, mode: 'shadow' } as const;
  const marks: readonly Tier<S>[] = [
    { ...mark, name: 'login-seen', key: signIns.key('pair') },
    ...(hasDevices ? [{ ...mark, name: 'login-device', key: signIns.key('device') } as const] : []),
  ];
  const place: Tier<S> = { ...day, name: 'login-known', key: signIns.key('place'), limit: 100, burst: 20 };
  const pair: Tier<S> = {
    name: 'login-pair',
    key: signIns.key('pair'),
    algorithm: 'backoff',
    limit: PAIR_LIMIT,
    window: '1d',
    delays: ['30s', '1m', '5m', '15m', '1h'],
    forgive: 'one',
  };
  const first: Tier<S> = { ...day, name: 'login-new', key: signIns.key('account'), limit: 220, burst: 80 };
  const others: Tier<S> = { ...day, name: 'login-account', key: signIns.key('account'), limit: 96, burst: 10 };
  const solved: Tier<S> = { ...first, name: 'login-challenged' };
  const network: Tier<S> = { ...day, name: 'login-address', key: signIns.key('network'), limit: 100 };
  return {
    all: [...marks, pair, first, others, network],
    device: [...marks, place],
    network: [...marks, place, network],
    'login-new': [...marks, pair, first, network],
    'login-account': [...marks, pair, others, network],
    challenged: [...marks, pair, solved, network],
  };
}

function hasSucceeded(mark: Outcome | undefined): boolean {
  return mark !== undefined && mark.remaining < mark.limit;
}

/** True if the lane denies, and neither the pair nor the network does. */
function isDeniedBy(lane: string, { deniedBy }: Decision): boolean {
  return deniedBy.includes(lane) && deniedBy.every((tier) => LANES.includes(tier));
}
