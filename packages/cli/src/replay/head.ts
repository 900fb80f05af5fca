import { countOf, countText, spanText } from '../terminal/figures.js';
import type { Report } from './report.js';

/** `50 requests of 1 address, 2026 Nov 20 13:55 – Nov 21 00:00 UTC, combined`. */
export function headText(report: Report): string {
  const { requests, logged, clients, key, from, to, formats } = report;
  const by = key === 'ip' ? countOf(clients, 'address', 'addresses') : `${countOf(clients, 'client')} by ${key}`;
  const count =
    requests === logged ? countOf(requests, 'request') : `${countText(requests)} of ${countOf(logged, 'request')}`;
  return `${count}${choiceText(report)} of ${by}, ${spanText(from, to)}, ${formats.join(', ')}`;
}

function choiceText({ only, withoutFiles }: Report): string {
  return [...only.map((route) => ` ${route}`), ...(withoutFiles ? [' without files'] : [])].join(',');
}
