import { isIP, isIPv4 } from 'node:net';
import { addressNumber, canonicalAddress, MAX_ADDRESS_LENGTH } from './address.js';

/** Addresses that begin with the same bits. One address is a network too. */
export interface Network {
  /** The one spelling: `203.0.113.0/24`, and an address alone without a prefix. */
  readonly text: string;
  readonly family: 4 | 6;
  /** Bits that all addresses have in common. */
  readonly prefix: number;
  /** These bits: of IPv4 as a number, of IPv6 as a bigint. */
  readonly bits: number | bigint;
}

const MAX_LENGTH = MAX_ADDRESS_LENGTH + '/128'.length;
/** Bits before an IPv4 address that IPv6 maps. */
const MAPPED_BITS = 96;

/** Reads a network in CIDR notation, or an address. Returns the rule that a text breaks. */
export function readNetwork(given: unknown): Network | string {
  const rule = "must be an address or a network, such as '203.0.113.7' or '203.0.113.0/24'";
  if (typeof given !== 'string' || given.length > MAX_LENGTH) return rule;
  const [, rawAddress, rawPrefix] = /^\s*([\da-f:.]+)(?:\/(\d{1,3}))?\s*$/i.exec(given) ?? [];
  const address = canonicalAddress(rawAddress);
  // Without ports, which are allowed in the address of a client.
  if (address === undefined || isIP(rawAddress!) === 0) return rule;
  const family = isIPv4(address) ? 4 : 6;
  const width = family === 4 ? 32 : 128;
  const isMapped = family === 4 && rawAddress!.includes(':');
  const prefix = rawPrefix === undefined ? width : Number(rawPrefix) - (isMapped ? MAPPED_BITS : 0);
  if (prefix < 0 || prefix > width) return `${rule}: the prefix of an IPv${family} network is 0 to ${width}`;
  const bits = leadingBits(addressNumber(address), prefix);
  if (prefix === width) return { text: address, family, prefix, bits };
  const base = addressOf(family, bits, prefix);
  if (base !== address) return `${rule}: ${given} has bits behind its prefix, write ${base}/${prefix}`;
  return { text: `${base}/${prefix}`, family, prefix, bits };
}

/** The first bits of an address. */
export function leadingBits(address: number | bigint, prefix: number): number | bigint {
  return typeof address === 'number' ? Math.floor(address / 2 ** (32 - prefix)) : address >> BigInt(128 - prefix);
}

/** The first address of a network. */
function addressOf(family: 4 | 6, bits: number | bigint, prefix: number): string {
  if (family === 4) {
    const number = (bits as number) * 2 ** (32 - prefix);
    return [24, 16, 8, 0].map((shift) => Math.floor(number / 2 ** shift) % 256).join('.');
  }
  const digits = ((bits as bigint) << BigInt(128 - prefix)).toString(16).padStart(32, '0');
  return canonicalAddress(digits.replace(/.{4}(?!$)/g, '$&:'))!;
}
