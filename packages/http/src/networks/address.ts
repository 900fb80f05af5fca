// networks/ reads addresses and networks, and finds an address in a set of networks. Texts of options and of requests
// enter, and canonical addresses leave. It imports no other room.
import { isIPv4, isIPv6, SocketAddress } from 'node:net';

/** No address is longer, even with brackets, quotes and a port. */
export const MAX_ADDRESS_LENGTH = 64;

/** The prefix of an IPv4 address on a dual-stack socket: `::ffff:192.0.2.1`. */
const MAPPED = '::ffff:';

/**
 * The one spelling of an address, without port, quotes and zone: IPv6 short and in lower case, and IPv4 as IPv4 also
 * where IPv6 maps it. The bits decide what is mapped, not the notation: `2001:db8::1.2.3.4` is no IPv4 address, nor are
 * those of NAT64 and 6to4. Undefined for a string that is no address.
 */
export function canonicalAddress(rawAddress: unknown): string | undefined {
  if (typeof rawAddress !== 'string' || rawAddress.length > MAX_ADDRESS_LENGTH) return undefined;
  // What most servers see. Three patterns less for each new client.
  if (isIPv4(rawAddress)) return rawAddress;
  const text = withoutPort(withoutQuotes(rawAddress.trim()));
  if (isIPv4(text)) return text;
  const [address = ''] = text.split('%', 1);
  if (!isIPv6(address)) return undefined;
  const { address: short } = new SocketAddress({ address, family: 'ipv6' });
  const mapped = short.startsWith(MAPPED) ? short.slice(MAPPED.length) : '';
  return isIPv4(mapped) ? mapped : short;
}

/**
 * The network of an IPv6 address, because a client has all addresses of its network. An IPv4 address stays as it is.
 *
 * @param address canonical
 * @param prefix bits
 */
export function networkOf(address: string, prefix: number): string {
  if (!address.includes(':')) return address;
  const groups = groupsOf(address).map((group, index) => {
    const bits = Math.min(16, Math.max(0, prefix - 16 * index));
    return group & ~(0xff_ff >> bits);
  });
  return `${groups.map((group) => group.toString(16)).join(':')}/${prefix}`;
}

/** 128 bits. */
export type Words = readonly [number, number, number, number];

/** The bits of an address in words of 32, of IPv4 in the last one. @param address canonical */
export function addressWords(address: string): Words {
  if (!address.includes(':')) return [0, 0, 0, address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)];
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = groupsOf(address);
  return [wordOf(a, b), wordOf(c, d), wordOf(e, f), wordOf(g, h)];
}

function withoutQuotes(text: string): string {
  const [, quoted = text] = /^"(.*)"$/.exec(text) ?? [];
  return quoted;
}

/** Some proxies send a port too. Only brackets, or an IPv4 address before it, mark the end of an address. */
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

function wordOf(high: number, low: number): number {
  return high * 65_536 + low;
}

function numbersOf(text: string): readonly number[] {
  if (text === '') return [];
  return text.split(':').flatMap((group) => {
    if (!group.includes('.')) return [Number.parseInt(group, 16)];
    const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number);
    return [a * 256 + b, c * 256 + d];
  });
}
