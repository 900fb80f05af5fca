import { type Decision, REQUESTS, TieredDecision } from '@sluice/core/internal';
import type { Problem } from './problem.js';

/** An error as the API of OpenAI sends it. */
export interface OpenAiError {
  readonly error: {
    readonly message: string;
    /** The unit of the tier that denies: `tokens`, `requests`. */
    readonly type: string;
    readonly param: null;
    readonly code: string;
  };
}

const CODES = {
  403: 'address_not_allowed',
  422: 'request_too_large',
  429: 'rate_limit_exceeded',
  503: 'service_unavailable',
} as const;

/**
 * The body of a denial for clients that expect the API of OpenAI: pass it as the option `body`.
 *
 * @example rateLimit({ tiers, headers: ['openai'], body: openAiBody })
 */
export function openAiBody({ decision, problem }: { decision: Decision; problem: Problem }): OpenAiError {
  const { detail, status } = problem;
  const tiers = TieredDecision.claimSetOf(decision)?.tiers;
  const type = tiers?.find(({ name }) => name === decision.binding?.tier)?.policy.unit ?? REQUESTS;
  return { error: { message: detail, type, param: null, code: CODES[status] } };
}
