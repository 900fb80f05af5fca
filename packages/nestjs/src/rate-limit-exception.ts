import { HttpException } from '@nestjs/common';
import type { Body, Decision, Denial, Problem } from '@sluice/core';

/**
 * A request was denied: status 429, 422 for what can never fit, 503 where the limits cannot be checked. Headers are set,
 * whoever answers; `getResponse()` is the problem, or what the option `body` says.
 */
export class RateLimitException extends HttpException {
  override name = 'RateLimitException';
  readonly decision: Decision;
  readonly problem: Problem;
  /** What other adapters would send, to the byte. */
  readonly body: Body;

  constructor({ decision, problem }: Denial, body: Body) {
    super(valueOf(body), problem.status);
    this.message = problem.detail;
    this.decision = decision;
    this.problem = problem;
    this.body = body;
  }
}

function valueOf({ contentType, text }: Body): string | Record<string, unknown> {
  return contentType === 'text/plain' ? text : (JSON.parse(text) as Record<string, unknown>);
}
