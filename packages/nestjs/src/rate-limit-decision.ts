import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Decision } from '@sluice/core';

/** What a request carries. */
interface Decided {
  /** The decision that was made last about this request. */
  rateLimit?: Decision;
}

/** Hands the decision that was made last about the request to a handler: `@RateLimitDecision() decision: Decision`. */
export const RateLimitDecision: () => ParameterDecorator = createParamDecorator(
  (_data: unknown, context: ExecutionContext) => context.switchToHttp().getRequest<Decided>().rateLimit,
);

export function rememberDecision(request: object, decision: Decision): void {
  (request as Decided).rateLimit = decision;
}
