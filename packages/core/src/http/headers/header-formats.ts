import type { QuotaPolicy } from './quota-policy.js';
import { toSeconds, type QuotaReport, type ServiceLimit } from './quota-report.js';

/**
 * A format of rate-limit headers. `x-ratelimit` is what GitHub and most public APIs send. `draft-*` are versions of
 * https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/.
 */
export type HeaderFormat = 'x-ratelimit' | 'draft-11' | 'draft-7' | 'draft-6';

export type Header = readonly [name: string, value: string];

/**
 * Makes the headers of a report. Reset is a time in seconds since 1970 in `x-ratelimit`, and seconds to wait in the
 * drafts.
 *
 * @param now milliseconds since 1970
 */
export type HeaderFormatter = (report: QuotaReport, now: number) => readonly Header[];

export const headerFormats: Readonly<Record<HeaderFormat, HeaderFormatter>> = {
  'x-ratelimit': ({ binding, remaining, resetAfter }, now) => [
    ['X-RateLimit-Limit', String(binding.limit)],
    ['X-RateLimit-Remaining', String(remaining)],
    ['X-RateLimit-Reset', String(toSeconds(now + resetAfter))],
  ],
  'draft-11': ({ policies, serviceLimits }) => [
    ['RateLimit-Policy', policies.map(policyItem).join(', ')],
    ['RateLimit', serviceLimits.map(serviceLimitItem).join(', ')],
  ],
  'draft-7': ({ policy, binding, remaining, resetSeconds }) => [
    ['RateLimit-Policy', `${policy.quota};w=${policy.window}`],
    ['RateLimit', `limit=${binding.limit}, remaining=${remaining}, reset=${resetSeconds}`],
  ],
  'draft-6': ({ policy, binding, remaining, resetSeconds }) => [
    ['RateLimit-Policy', `${policy.quota};w=${policy.window}`],
    ['RateLimit-Limit', String(binding.limit)],
    ['RateLimit-Remaining', String(remaining)],
    ['RateLimit-Reset', String(resetSeconds)],
  ],
};

function policyItem({ name, quota, window }: QuotaPolicy): string {
  return `"${name}";q=${quota};w=${window}`;
}

function serviceLimitItem({ policy, remaining, window }: ServiceLimit): string {
  return `"${policy.name}";r=${remaining}${window === undefined ? '' : `;t=${window}`}`;
}
