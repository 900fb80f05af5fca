import { toSeconds } from '../../model/duration.js';
import type { HeaderFormat } from './header-format.js';
import type { QuotaPolicy } from './quota-policy.js';
import type { ServiceLimit, QuotaReport } from './quota-report.js';

/** A header field: its name and its value. */
export type Field = readonly [name: string, value: string];

export interface Dialect {
  /** @param now milliseconds since 1970 */
  readonly fields: (standing: QuotaReport, now: number) => readonly Field[];
}

/**
 * `draft-*` are versions of https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/. Reset is a moment,
 * in seconds since 1970, in `x-ratelimit`, as GitHub and most public APIs have it, and a time to wait in the drafts.
 */
export const dialects: Readonly<Record<HeaderFormat, Dialect>> = {
  'x-ratelimit': {
    fields: (standing, now) => [
      ['X-RateLimit-Limit', String(standing.binding.limit)],
      ['X-RateLimit-Remaining', String(standing.remaining)],
      ['X-RateLimit-Reset', String(toSeconds(now + standing.resetAfter))],
    ],
  },
  'draft-11': {
    fields: (standing) => [
      ['RateLimit-Policy', standing.quotas().map(quotaMember).join(', ')],
      ['RateLimit', standing.shares().map(shareMember).join(', ')],
    ],
  },
  'draft-7': {
    fields: ({ quota, binding, remaining, resetAfter }) => [
      ['RateLimit-Policy', `${quota.units};w=${quota.window}`],
      ['RateLimit', `limit=${binding.limit}, remaining=${remaining}, reset=${toSeconds(resetAfter)}`],
    ],
  },
  'draft-6': {
    fields: ({ quota, binding, remaining, resetAfter }) => [
      ['RateLimit-Policy', `${quota.units};w=${quota.window}`],
      ['RateLimit-Limit', String(binding.limit)],
      ['RateLimit-Remaining', String(remaining)],
      ['RateLimit-Reset', String(toSeconds(resetAfter))],
    ],
  },
};

function quotaMember({ name, units, window }: QuotaPolicy): string {
  return `"${name}";q=${units};w=${window}`;
}

function shareMember({ quota, remaining, time }: ServiceLimit): string {
  return `"${quota.name}";r=${remaining}${time === undefined ? '' : `;t=${time}`}`;
}
