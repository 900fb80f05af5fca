import { HttpException } from '@nestjs/common';
import type { Decision, Denial, Problem } from '@sluice/http';
import type { Body } from '@sluice/http/adapter';

/**
 * A denied request: status 429; 422 if the request can never fit; 503 if the store is unavailable and the limit denies
 * then, or the process is overloaded. The headers of the response are already set. `getResponse()` returns the problem, or the value of the option
 * `body`.
 */
export class RateLimitException extends HttpException {
  override name = 'RateLimitException';
  readonly decision: Decision;
  /** Problem details (RFC 9457). */
  readonly problem: Problem;
  /** The body that `RateLimitFilter` sends: media type and text. */
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
