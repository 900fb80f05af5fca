import { countOf, spanText } from '../terminal/figures.js';
import type { Report } from './report.js';

/** `50 requests of 1 address, Nov 20 13:55 – Nov 21 00:00 UTC, combined`. */
export function headText({ requests, clients, key, from, to, formats }: Report): string {
  const by = key === 'ip' ? countOf(clients, 'address', 'addresses') : `${countOf(clients, 'client')} by ${key}`;
  return `${countOf(requests, 'request')} of ${by}, ${spanText(from, to)}, ${formats.join(', ')}`;
}
