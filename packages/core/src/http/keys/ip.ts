import type { Identity } from '../../model/identity.js';
import type { MaybePromise } from '../../async/maybe-promise.js';
import { chain } from '../../async/chain.js';
import { BoundedCache } from '../../cache/bounded-cache.js';
import { detachedCopy } from '../../cache/detached-copy.js';
import { warn } from '../../events/warning.js';
import { addressTold, passageOf } from '../passage.js';
import { warnOfUntrusted } from '../proxies.js';
import type { HttpRequest } from '../request.js';
import { canonicalAddress, networkOf } from './address.js';
import { readIdentityOptions } from './identity-options.js';

export interface IpOptions<S> {
  /**
   * Bits of an IPv6 address that tell clients apart, 32 to 128: most are given a /64 and can use all of its addresses;
   * a site may hold a /56 or a /48.
   *
   * @default 64
   */
  ipv6Subnet?: number;
  /**
   * Reads the address from elsewhere, such as from a header that your CDN sets and that nobody else can set.
   *
   * @default the framework's `ip`, or the peer's of a request that no framework has seen
   */
  from?: (subject: S) => MaybePromise<string | undefined>;
}

/** Those whose address cannot be read share one budget: none is no answer, and one each would be no limit. */
const UNKNOWN_ADDRESS = identityOf('unknown');

/** Addresses of which the identity is remembered: it is the same object each time, so whoever asks again is known by it. */
const KNOWN = 16_384;

// One for all limiters of a subnet, for they all ask for the same clients.
const identitiesByPrefix = new Map<number, BoundedCache<Identity>>();

/**
 * Identifies a client by its address: IPv4 alone, also where IPv6 maps it, IPv6 by its network. Kind `ip`.
 *
 * @throws ConfigError OPTION_INVALID, OPTION_UNKNOWN
 */
export function byIp<S extends HttpRequest>(options: IpOptions<S> = {}): (subject: S) => MaybePromise<Identity> {
  const reader = readIdentityOptions('byIp', options, ['ipv6Subnet', 'from']);
  const prefix = reader.integer('OPTION_INVALID', 'ipv6Subnet', { min: 32, max: 128, otherwise: 64 });
  const from = reader.function('from', options.from);
  const identities = identitiesBy(prefix);
  const identify = (address: string | undefined): Identity => {
    if (address !== undefined) return identities.get(address) ?? remember(identities, address, prefix);
    warnOfUnknown();
    return UNKNOWN_ADDRESS;
  };

  return (subject) => {
    const passage = passageOf(subject);
    if (passage) passage.countsAddress = true;
    if (from) return chain(from(subject), (told) => identify(canonicalAddress(told)));
    if (!passage && !('ip' in subject)) warnOfUntrusted(subject);
    // The gate has read the address when the request came; without one it is what can be read now.
    return identify(passage ? passage.address : canonicalAddress(addressTold(subject)));
  };
}

function identitiesBy(prefix: number): BoundedCache<Identity> {
  const identities = identitiesByPrefix.get(prefix) ?? new BoundedCache<Identity>(KNOWN);
  identitiesByPrefix.set(prefix, identities);
  return identities;
}

function remember(identities: BoundedCache<Identity>, address: string, prefix: number): Identity {
  const own = detachedCopy(address);
  const identity = identityOf(networkOf(own, prefix));
  identities.set(own, identity);
  return identity;
}

function identityOf(network: string): Identity {
  return Object.freeze({ kind: 'ip', parts: Object.freeze([network]) });
}

function warnOfUnknown(): void {
  warn(
    'SLUICE_ADDRESS_UNREADABLE',
    'byIp: the address of a client cannot be read; all such clients share one budget. On a Unix socket no address is told: set trust proxy, or byIp({ from })',
  );
}
