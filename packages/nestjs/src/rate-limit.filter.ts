import { Catch, Inject, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';

import { RateLimitException } from './rate-limit.exception.js';

/** The error of a queue of `@sluice/overload`, which this package does not load: a filter asks for it by `instanceof`. */
// oxlint-disable-next-line typescript/no-extraneous-class -- what Nest takes as a type of exceptions is a class
class Overloaded {
  static [Symbol.hasInstance](error: unknown): boolean {
    return (Object(error) as { readonly code?: unknown }).code === 'SLUICE_OVERLOADED';
  }
}

interface OverloadError extends Error {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Answers denials as the adapters for Express and Fastify do, and refusals of queues with `Retry-After`. The module adds it behind the filters of the application.
 * A filter that catches everything also catches denials, unless you provide this one as APP_FILTER after it.
 */
export class RateLimitFilter implements ExceptionFilter<RateLimitException | OverloadError> {
  readonly #host: HttpAdapterHost;

  constructor(host: HttpAdapterHost) {
    this.#host = host;
  }

  catch(exception: RateLimitException | OverloadError, context: ArgumentsHost): void {
    const { httpAdapter } = this.#host;
    const response = context.switchToHttp().getResponse<object>();
    if (!('problem' in exception)) {
      const { status, message, headers } = exception;
      for (const [name, value] of Object.entries(headers)) httpAdapter.setHeader(response, name, value);
      httpAdapter.reply(response, { statusCode: status, message }, status);
      return;
    }
    const { body, problem } = exception;
    httpAdapter.setHeader(response, 'Content-Type', `${body.contentType}; charset=utf-8`);
    httpAdapter.reply(response, body.text, problem.status);
  }
}

// Called by hand, because the build emits no metadata of constructors.
Catch(RateLimitException, Overloaded)(RateLimitFilter);
Inject(HttpAdapterHost)(RateLimitFilter, undefined, 0);
