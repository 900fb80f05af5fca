import { isIPv4, isIPv6, SocketAddress } from 'node:net';

import { BoundedCache } from '../../cache/bounded-cache.js';
import { detachedCopy } from '../../cache/detached-copy.js';

/** No address is longer, not with brackets, quotes and a port around it. */
const LONGEST = 64;

/** An IPv6 address that says which IPv4 address is meant, as every dual-stack socket tells them. */
const MAPPED = '::ffff:';

/** What addresses were told as, with their one spelling: to find it takes Node longer than a decision takes. */
const spellings = new BoundedCache<string>(16_384);

/**
 * The one spelling of an address: without port, quotes and zone, IPv4 as IPv4 also where IPv6 maps it, IPv6 short and in
 * lower case. Undefined for what is no address. What is mapped is decided by bits and not by notation: the dotted end of
 * `2001:db8::1.2.3.4` makes it no IPv4 address, nor do NAT64 and 6to4 make one of theirs.
 */
export function canonicalAddress(told: unknown): string | undefined {
  if (typeof told !== 'string' || told.length > LONGEST) return undefined;
  if (isIPv4(told)) return told;
  const known = spellings.get(told);
  if (known !== undefined) return known;
  const address = spell(told);
  if (address !== undefined) spellings.set(detachedCopy(told), detachedCopy(address));
  return address;
}

function spell(told: string): string | undefined {
  const text = withoutPort(withoutQuotes(told.trim()));
  if (isIPv4(text)) return text;
  const [address = ''] = text.split('%', 1);
  if (!isIPv6(address)) return undefined;
  const { address: short } = new SocketAddress({ address, family: 'ipv6' });
  const mapped = short.startsWith(MAPPED) ? short.slice(MAPPED.length) : '';
  return isIPv4(mapped) ? mapped : short;
}

/**
 * The network that an IPv6 address is in, for whoever has one address of it has them all; an IPv4 address stays alone.
 *
 * @param address canonical
 * @param prefix bits
 */
export function networkOf(address: string, prefix: number): string {
  if (isIPv4(address)) return address;
  const kept = groupsOf(address).map((group, index) => {
    const bits = Math.min(16, Math.max(0, prefix - 16 * index));
    return group & ~(0xff_ff >> bits);
  });
  return `${kept.map((group) => group.toString(16)).join(':')}/${prefix}`;
}

function withoutQuotes(text: string): string {
  const [, quoted = text] = /^"(.*)"$/.exec(text) ?? [];
  return quoted;
}

/** Some proxies tell a port as well. Only brackets, or an IPv4 address before it, say where an address ends. */
function withoutPort(text: string): string {
  const [, address = text] = /^\[([^\]]*)\](?::\d+)?$/.exec(text) ?? /^([\d.]+):\d+$/.exec(text) ?? [];
  return address;
}

/** The eight numbers of an IPv6 address. */
function groupsOf(address: string): readonly number[] {
  const [head = [], tail] = address.split('::').map(numbersOf);
  if (tail === undefined) return head;
  return [...head, ...Array<number>(8 - head.length - tail.length).fill(0), ...tail];
}

function numbersOf(text: string): readonly number[] {
  if (text === '') return [];
  return text.split(':').flatMap((group) => {
    if (!group.includes('.')) return [Number.parseInt(group, 16)];
    const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number);
    return [a * 256 + b, c * 256 + d];
  });
}
