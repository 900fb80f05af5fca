// headers/ reports limits in response headers; this file lists the formats, and a new one is added here. Decisions of
// limiters enter, and header lines leave. It imports request, for the type of a response.
import { isAppointed } from '@sluice/core/internal';
import type { GateResponse } from '../request/response.js';
import { goDuration } from './go-duration.js';
import type { QuotaPolicy } from './quota-policy.js';
import { remainingOf, resetAfterOf, toSeconds, type QuotaReport, type ServiceLimit } from './quota-report.js';

/**
 * A format of rate-limit headers. `x-ratelimit` is what GitHub and most public APIs send. `draft-*` are versions of
 * https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/. `openai` is what the API of OpenAI sends, for
 * each `unit` of the tiers, with `retry-after-ms` (https://platform.openai.com/docs/guides/rate-limits).
 */
export type HeaderFormat = 'x-ratelimit' | 'draft-11' | 'draft-7' | 'draft-6' | 'openai';

/** The headers of a format. Their names are set in lower case, because Node and Fastify look them up so. */
export interface HeaderWriter {
  /** It says what a quota counts. The others cannot report units that come back by no clock. */
  readonly hasUnits?: true;
  /** It is a version of the draft. A response has one of them, because all use `RateLimit-Policy`. */
  readonly isDraft?: true;
  /** The names of the headers of a report, as documents spell them. */
  names(report: QuotaReport): readonly string[];
  /**
   * Sets the headers of a report. Reset is a time in seconds since 1970 in `x-ratelimit`, and seconds to wait in the
   * drafts.
   *
   * @param now milliseconds since 1970
   */
  write(response: Pick<GateResponse, 'setHeader'>, report: QuotaReport, now: number): void;
}

export const headerFormats: Readonly<Record<HeaderFormat, HeaderWriter>> = {
  'x-ratelimit': {
    names: () => ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'],
    write(response, { binding }, now) {
      response.setHeader('x-ratelimit-limit', String(binding.limit));
      response.setHeader('x-ratelimit-remaining', String(remainingOf(binding)));
      response.setHeader('x-ratelimit-reset', String(toSeconds(now + resetAfterOf(binding))));
    },
  },
  'draft-11': {
    isDraft: true,
    hasUnits: true,
    names: () => ['RateLimit-Policy', 'RateLimit'],
    write(response, { policies, serviceLimits }) {
      response.setHeader('ratelimit-policy', policies.map(policyItem).join(', '));
      response.setHeader('ratelimit', serviceLimits.map(serviceLimitItem).join(', '));
    },
  },
  'draft-7': {
    isDraft: true,
    names: () => ['RateLimit-Policy', 'RateLimit'],
    write(response, { policy, binding, remaining, resetSeconds }) {
      response.setHeader('ratelimit-policy', `${policy.quota}${windowOf(policy)}`);
      response.setHeader('ratelimit', `limit=${binding.limit}, remaining=${remaining}, reset=${resetSeconds}`);
    },
  },
  'draft-6': {
    isDraft: true,
    names: () => ['RateLimit-Policy', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'],
    write(response, { policy, binding, remaining, resetSeconds }) {
      response.setHeader('ratelimit-policy', `${policy.quota}${windowOf(policy)}`);
      response.setHeader('ratelimit-limit', String(binding.limit));
      response.setHeader('ratelimit-remaining', String(remaining));
      response.setHeader('ratelimit-reset', String(resetSeconds));
    },
  },
  openai: {
    names: ({ units }) =>
      units.flatMap(({ unit }) => ['limit', 'remaining', 'reset'].map((each) => openAiName(each, unit))),
    write(response, { units }) {
      for (const { unit, binding } of units) {
        response.setHeader(openAiName('limit', unit), String(binding.limit));
        response.setHeader(openAiName('remaining', unit), String(remainingOf(binding)));
        // A moment of its own may be later than that of a full budget.
        const reset = isAppointed(binding) ? binding.retryAfter : binding.resetAfter;
        response.setHeader(openAiName('reset', unit), goDuration(reset));
      }
    },
  },
};

function openAiName(what: string, unit: string): string {
  return `x-ratelimit-${what}-${unit}`;
}

function policyItem(policy: QuotaPolicy): string {
  const { name, quota, isConcurrent } = policy;
  return `"${name}";q=${quota}${isConcurrent ? ';qu="concurrent-requests"' : windowOf(policy)}`;
}

function windowOf({ window }: QuotaPolicy): string {
  return window === undefined ? '' : `;w=${window}`;
}

function serviceLimitItem({ policy, remaining, window }: ServiceLimit): string {
  return `"${policy.name}";r=${remaining}${window === undefined ? '' : `;t=${window}`}`;
}
