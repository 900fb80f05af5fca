import { isIP } from 'node:net';
import { addressWords, canonicalAddress, MAX_ADDRESS_LENGTH, type Words } from './address.js';

/** Addresses that begin with the same bits. One address is a network too. */
export interface Network {
  readonly family: 4 | 6;
  /** Bits that all addresses have in common. */
  readonly prefix: number;
  /** Its first address. */
  readonly first: Words;
}

const MAX_LENGTH = MAX_ADDRESS_LENGTH + '/128'.length;
const WIDTHS = { 4: 32, 6: 128 };
/** Bits before an IPv4 address that IPv6 maps: `::ffff:192.0.2.1`. */
const MAPPED_BITS = 96;

/** Reads a network in CIDR notation, or an address. Returns the rule that a string breaks. */
export function readNetwork(given: unknown): Network | string {
  const rule = "must be an address or a network, such as '203.0.113.7' or '203.0.113.0/24'";
  if (typeof given !== 'string' || given.length > MAX_LENGTH) return rule;
  const [, address = '', rawPrefix] = /^\s*([\da-f:.]+)(?:\/(\d{1,3}))?\s*$/i.exec(given) ?? [];
  // Without ports, which are allowed in the address of a client.
  if (isIP(address) === 0) return rule;
  const words = addressWords(address);
  const isMapped = address.includes(':') && words[0] === 0 && words[1] === 0 && words[2] === 0xff_ff;
  const family = isMapped || !address.includes(':') ? 4 : 6;
  const width = WIDTHS[family];
  const prefix = rawPrefix === undefined ? width : Number(rawPrefix) - (isMapped ? MAPPED_BITS : 0);
  if (prefix < 0 || prefix > width) return `${rule}: the prefix of an IPv${family} network is 0 to ${width}`;
  const network = { family, prefix, first: firstBits(words, family, prefix) } as const;
  if (isSame(network.first, family === 4 ? [0, 0, 0, words[3]] : words)) return network;
  return `${rule}: ${given} has bits behind its prefix, write ${networkText(network)}`;
}

/** The one spelling: `203.0.113.0/24`, and an address alone without a prefix. */
export function networkText({ family, prefix, first }: Network): string {
  const address = family === 4 ? textOfIPv4(first[3]) : textOfIPv6(first);
  return prefix === WIDTHS[family] ? address : `${address}/${prefix}`;
}

/** The first bits of an address, then zeros. */
export function firstBits([a, b, c, d]: Words, family: 4 | 6, prefix: number): Words {
  if (family === 4) return [0, 0, 0, kept(d, prefix)];
  return [kept(a, prefix), kept(b, prefix - 32), kept(c, prefix - 64), kept(d, prefix - 96)];
}

function isSame(one: Words, other: Words): boolean {
  return one.every((word, index) => word === other[index]);
}

function kept(word: number, bits: number): number {
  if (bits >= 32) return word;
  return bits <= 0 ? 0 : (word & (-1 << (32 - bits))) >>> 0;
}

function textOfIPv4(word: number): string {
  return [24, 16, 8, 0].map((shift) => (word >>> shift) & 255).join('.');
}

function textOfIPv6(words: Words): string {
  const groups = words.flatMap((word) => [word >>> 16, word & 0xff_ff]);
  return canonicalAddress(groups.map((group) => group.toString(16)).join(':'))!;
}
