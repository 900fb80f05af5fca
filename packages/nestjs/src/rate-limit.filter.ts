import { Catch, Inject, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';

import { RateLimitException } from './rate-limit.exception.js';

/**
 * Answers denials as the adapters for Express and Fastify do. The module adds it behind the filters of the application.
 * A filter that catches everything also catches denials, unless you provide this one as APP_FILTER after it.
 */
export class RateLimitFilter implements ExceptionFilter<RateLimitException> {
  readonly #host: HttpAdapterHost;

  constructor(host: HttpAdapterHost) {
    this.#host = host;
  }

  catch({ body, problem }: RateLimitException, context: ArgumentsHost): void {
    const { httpAdapter } = this.#host;
    const response = context.switchToHttp().getResponse<object>();
    httpAdapter.setHeader(response, 'Content-Type', `${body.contentType}; charset=utf-8`);
    httpAdapter.reply(response, body.text, problem.status);
  }
}

// Called by hand, because the build emits no metadata of constructors.
Catch(RateLimitException)(RateLimitFilter);
Inject(HttpAdapterHost)(RateLimitFilter, undefined, 0);
