import { chain } from '../async/deferred.js';
import type { MaybePromise } from '../async/maybe-promise.js';
import type { KeyFunction } from '../limiter/key-function.js';
import type { Tier } from '../limiter/tiers/tier.js';
import { ConfigError } from '../model/errors.js';
import { OptionReader, show } from '../options/option-reader.js';
import { by, textOf } from './keys/by.js';
import { compose } from './keys/compose.js';
import { byIp } from './keys/ip.js';
import type { HttpRequest } from './request.js';

/** The options of `loginTiers`. `S` is the request of the framework. */
export interface LoginTiersOptions<S> {
  /**
   * Returns the account that the request wants to sign in to, spelled as the sign-in compares it, whether it exists or not.
   * All values that are no text count as one account.
   *
   * @example account: ({ body }) => String(body?.email).trim().toLowerCase()
   */
  account: (request: S) => MaybePromise<unknown>;
  /**
   * Returns the device if it has signed in to this account before, as a signed cookie proves. It has a budget of its own, so
   * that an attack on the account cannot lock its owner out.
   *
   * @default no device is known
   */
  device?: (request: S) => MaybePromise<string | undefined>;
}

const OWNER = 'loginTiers';

/**
 * The tiers of a sign-in, decided together. `login-pair` slows a network that guesses one account: 33 guesses a day.
 * `login-account` slows guesses of one account from everywhere: 298 a day. `login-address` slows a network that guesses many
 * accounts: 100 failures a day and the burst of a day. Put the limit after the parser of the body, and refund the request
 * when the sign-in succeeds.
 *
 * @throws ConfigError OPTION_INVALID, OPTION_UNKNOWN
 * @example
 * const login = rateLimit({
 *   store,
 *   tiers: loginTiers({ account: ({ body }) => String(body?.email).toLowerCase() }),
 *   refundWhen: (status) => status < 400,
 * });
 */
export function loginTiers<S extends HttpRequest>(options: LoginTiersOptions<S>): readonly Tier<S>[] {
  if (typeof options !== 'object' || options === null) {
    const message = `${OWNER}: options must be an object, got ${show(options)}`;
    throw new ConfigError('OPTION_INVALID', 'options', options, message);
  }
  const reader = new OptionReader(OWNER, options, ['account', 'device']);
  if (!reader.has('account')) throw reader.missing('OPTION_INVALID', 'account', 'a function of the request');
  const read = reader.function('account', options.account);
  const device = reader.function('device', options.device);
  const account = by<S>('account', (request) => chain(read(request), accountOf));
  const address = byIp<S>({ ipv6Subnet: 48 });
  const strikes = { algorithm: 'backoff', window: '1d', forgive: 'all' } as const;
  return [
    {
      ...strikes,
      name: 'login-pair',
      key: ofDevice(device, compose(account, address)),
      limit: 5,
      delays: ['30s', '1m', '5m', '15m', '1h'],
    },
    { ...strikes, name: 'login-account', key: ofDevice(device, account), limit: 10, delays: ['5m'] },
    { name: 'login-address', key: address, algorithm: 'token-bucket', limit: 100, window: '1d' },
  ];
}

/** The account of all values that are no text. */
const NO_TEXT = '(no text)';

/**
 * A client can send `["ada"]` for `ada`, and a sign-in may accept it. All such values are one account: as no account they
 * would have a budget of guesses for each address, and as accounts of their own a budget for each value.
 */
function accountOf(value: unknown): unknown {
  // As `by` does: a request without an account is one of its address.
  if (value === undefined || value === null || value === false || value === '') return undefined;
  return textOf(value) ?? NO_TEXT;
}

/** The identity of a known device, else that of another function. */
function ofDevice<S>(device: LoginTiersOptions<S>['device'], otherwise: KeyFunction<S>): KeyFunction<S> {
  if (device === undefined) return otherwise;
  return (request) =>
    chain(device(request), (id) => {
      const text = textOf(id);
      return text === undefined ? otherwise(request) : { kind: 'device', parts: [text] };
    });
}
