import { canonicalAddress } from '@sluice/metrics/operations';
import type { Span } from '../lines/span.js';

/** Of a host name. */
export const MAX_ADDRESS_TEXT = 255;

/** The client of a request as it is logged. */
export interface LoggedAddress {
  /** Who has sent the request. Empty where the log names nobody. */
  readonly peer: string;
  /** What stands before the peer in a list such as `203.0.113.7, 10.0.0.9`, which is `X-Forwarded-For`. */
  readonly forwarded: string;
}

/**
 * Reads what stands where a log has its client. A list of addresses comes from `X-Forwarded-For`: its last one was added
 * last. Undefined for what can be no client, such as two words: all such clients would be one.
 */
export function readAddress(text: string): LoggedAddress | undefined {
  const comma = text.lastIndexOf(',');
  const last = comma === -1 ? text : text.slice(comma + 1).trim();
  if (last === '' || last.length > MAX_ADDRESS_TEXT || last.includes(' ')) return undefined;
  // One quote begins a line that is quoted as a whole.
  if (last.startsWith('"') && !(last.length > 2 && last.endsWith('"'))) return undefined;
  const peer = last === '-' || last === 'unix:' || last === 'unix' ? '' : last;
  return { peer, forwarded: comma === -1 ? '' : text.slice(0, comma) };
}

/** The header `X-Forwarded-For` among those that HAProxy has captured, as in `0/0 {example.com|203.0.113.7} {}`. */
export function capturedAddresses(text: string): string {
  const headers = text.split(/[{}|]/).map((header) => header.trim());
  return headers.find((header) => canonicalAddress(lastOf(header)) !== undefined) ?? '';
}

function lastOf(list: string): string {
  return list.slice(list.lastIndexOf(',') + 1);
}

const DOT = 46;
const SLASH = 47;
const COLON = 58;
const UPPER_A = 65;
const UPPER_F = 70;
const LOWER_A = 97;
const LOWER_F = 102;

/** True for the digits, dots and colons of most addresses, which need no more reading. */
export function isPlainAddress({ bytes, start, end }: Span): boolean {
  if (start === end || end - start > MAX_ADDRESS_TEXT) return false;
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at]!;
    const isDigit = byte >= DOT && byte <= COLON && byte !== SLASH;
    if (!isDigit && !(byte >= UPPER_A && byte <= UPPER_F) && !(byte >= LOWER_A && byte <= LOWER_F)) return false;
  }
  return true;
}

/** The address of `203.0.113.7:2817`, `[2001:db8::7]:2817` or `2001:db8::7:2817`: with its port each connection differs. */
export function withoutPort(text: string): string {
  const address = text.slice(0, Math.max(0, text.lastIndexOf(':')));
  return address.startsWith('[') && address.endsWith(']') ? address.slice(1, -1) : address;
}

/** The address of a text that may have a port. An IPv6 address without brackets has several colons, and no port. */
export function withoutAnyPort(text: string): string {
  const colon = text.indexOf(':');
  return colon !== -1 && (text.startsWith('[') || text.lastIndexOf(':') === colon) ? withoutPort(text) : text;
}
