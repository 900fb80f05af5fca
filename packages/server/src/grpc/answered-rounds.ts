import type { Decision, Outcome, Policy } from '@sluice/core';
import type { ServedAnswer } from '../deciding/served-limiter.js';
import type { Round } from '../deciding/round.js';
import { PERIODS, UNITS } from '../rules/descriptor.js';
import {
  OK,
  OVER_LIMIT,
  type CurrentLimit,
  type DescriptorStatus,
  type MetadataValue,
  type RateLimitResponse,
} from './rate-limit-response.js';

/** A round of descriptors and its answer. */
export interface AnsweredRound {
  readonly round: Round;
  readonly answer: ServedAnswer;
  readonly policies: readonly Policy[];
}

const NO_LIMIT: DescriptorStatus = { code: OK, currentLimit: undefined, limitRemaining: 0, untilReset: undefined };

/** What the request of a client is told, by the answers of all rounds. @param count of its descriptors */
export function responseOf(
  answered: readonly AnsweredRound[],
  { count, receipt }: { readonly count: number; readonly receipt: readonly [name: string, value: string] | undefined },
): RateLimitResponse {
  const statuses = Array.from({ length: count }, () => NO_LIMIT);
  for (const { round, answer, policies } of answered) {
    const { outcomes } = answer.decision;
    for (const { name, descriptor } of round.tiers) {
      const at = outcomes.findIndex(({ tier }) => tier === name);
      if (at >= 0) statuses[descriptor] = statusOf(outcomes[at]!, policies[at]!);
    }
  }
  const told = answered.find(({ answer }) => answer.denial !== undefined) ?? strictestOf(answered);
  const denial = told?.answer.denial;
  const headers = new Map(told?.answer.headers);
  if (denial !== undefined) headers.set('content-type', denial.contentType);
  return {
    overallCode: denial === undefined ? OK : OVER_LIMIT,
    statuses,
    responseHeaders: headers,
    requestHeaders: receipt === undefined ? [] : [receipt],
    body: denial?.body ?? '',
    metadata: denial === undefined ? {} : metadataOf(told!.answer.decision),
  };
}

function statusOf(outcome: Outcome, policy: Policy): DescriptorStatus {
  const { allowed, shadow, remaining, retryAfter, resetAfter } = outcome;
  const denies = !allowed && !shadow;
  const wait = denies ? retryAfter : resetAfter;
  return {
    code: denies ? OVER_LIMIT : OK,
    currentLimit: limitOf(outcome, policy),
    limitRemaining: denies ? 0 : remaining,
    untilReset: Number.isFinite(wait) ? wait : undefined,
  };
}

function limitOf({ tier: name }: Outcome, policy: Policy): CurrentLimit {
  return { name, requestsPerUnit: policy.limit, unit: unitOf(policy) };
}

function unitOf({ calendar, window }: Policy): number {
  for (const [unit, { length }] of UNITS) if (length === window && calendar === undefined) return unit;
  if (calendar === undefined) return 0;
  for (const [unit, period] of PERIODS) if (period === calendar.period) return unit;
  return calendar.period === 'day' ? 4 : 7;
}

/** What an access log can say of a denial. */
function metadataOf({ reason, deniedBy, retryAfter }: Decision): Readonly<Record<string, MetadataValue>> {
  return {
    reason,
    denied_by: deniedBy,
    ...(Number.isFinite(retryAfter) && { retry_after_ms: retryAfter }),
  };
}

function strictestOf(answered: readonly AnsweredRound[]): AnsweredRound | undefined {
  return answered.toSorted((one, other) => leftIn(one) - leftIn(other))[0];
}

function leftIn({ answer: { decision } }: AnsweredRound): number {
  return decision.binding?.remaining ?? Infinity;
}
