import {
  BoundedCache,
  chain,
  detachedCopy,
  FUNCTION,
  type Identity,
  KeyedIdentity,
  keyFactory,
  type KeyFunction,
  type MaybePromise,
  type OptionRows,
  readOptions,
  warn,
} from '@sluice/core/internal';
import { warnOfUntrusted } from '../request/proxy-check.js';
import { reportedAddress, visitOf } from '../visits/visit.js';
import type { HttpRequest } from '../request/request.js';
import { canonicalAddress, MAX_ADDRESS_LENGTH, networkOf } from '../networks/address.js';

export interface IpOptions<S> {
  /**
   * Bits of an IPv6 address that tell clients apart, 32 to 128. Most clients have a /64 and can use all of its
   * addresses; a site may have a /56 or a /48.
   *
   * @default 64
   */
  ipv6Subnet?: number;
  /**
   * Reads the address from elsewhere, such as a header that your CDN sets and that clients cannot set.
   *
   * @default `ip` of the framework, or the peer of a request that no framework has seen
   */
  from?: (subject: S) => MaybePromise<string | undefined>;
}

export const IP_ROWS = {
  ipv6Subnet: { integer: [32, 128], otherwise: 64 },
  from: FUNCTION,
} as const satisfies OptionRows;

/** Clients without a readable address share one budget: a budget each would be no limit. */
const UNKNOWN_ADDRESS = new KeyedIdentity('ip', 'unknown');

/** More than a memory store has keys by default: with fewer, a check beyond them takes 6 to 9 times as long. */
const MAX_CACHED_ADDRESSES = 131_072;

// By prefix, because all limiters see the same clients.
const identitiesByPrefix = new Map<number, BoundedCache<Identity>>();
/** One function for each prefix: a limiter calls it once for all tiers that count by it. */
const keysByPrefix = new Map<number, KeyFunction<never>>();

/**
 * Identifies a client by its address: an IPv4 address, also where IPv6 maps it, or the network of an IPv6 address. Kind
 * `ip`.
 *
 * @throws ConfigError OPTION_INVALID, OPTION_UNKNOWN
 * @example rateLimit({ key: byIp({ ipv6Subnet: 56 }), limit: 100, window: '1m' })
 */
export const byIp = /* @__PURE__ */ keyFactory(function byIp<S extends HttpRequest>(
  options: IpOptions<S> = {},
): KeyFunction<S> {
  const { ipv6Subnet: prefix } = readOptions('byIp', options, IP_ROWS);
  const { from } = options;
  const known = keysByPrefix.get(prefix);
  if (known !== undefined && from === undefined) return known as KeyFunction<S>;
  const identities = identitiesByPrefix.get(prefix) ?? new BoundedCache<Identity>(MAX_CACHED_ADDRESSES);
  identitiesByPrefix.set(prefix, identities);

  const identify = (rawAddress: unknown): Identity => {
    const isShort = typeof rawAddress === 'string' && rawAddress.length <= MAX_ADDRESS_LENGTH;
    const cached = isShort ? identities.get(rawAddress) : undefined;
    if (cached) return cached;
    const address = canonicalAddress(rawAddress);
    if (address === undefined) {
      warnOfUnknown();
      return UNKNOWN_ADDRESS;
    }
    const identity = new KeyedIdentity('ip', networkOf(address, prefix));
    const part = identity.parts[0]!;
    // Of a plain IPv4 address the identity has a copy.
    identities.set(part === rawAddress ? part : detachedCopy(rawAddress as string), identity);
    return identity;
  };

  const key = (subject: S): MaybePromise<Identity> => {
    if (from) return chain(from(subject), identify);
    const visit = visitOf(subject);
    // The gate has read the address at entry. Later the client may be gone, and its address with it.
    if (visit !== undefined) return identify(visit.readAddress());
    if (!('ip' in subject)) warnOfUntrusted(subject);
    return identify(reportedAddress(subject));
  };
  const bounded = Object.assign(key, { bounds: 'address' as const, kinds: ['ip'] });
  if (from === undefined) keysByPrefix.set(prefix, bounded);
  return bounded;
});

function warnOfUnknown(): void {
  warn(
    'SLUICE_ADDRESS_UNREADABLE',
    'byIp: the address of a client cannot be read; all such clients share one budget. A Unix socket has no address: set trust proxy (Hono: ip or trustProxy), or byIp({ from })',
  );
}
