import { Catch, Inject, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';

import { RateLimitException } from './rate-limit-exception.js';

/**
 * Sends denials to the byte as the other adapters do. The module has it answer what no filter of the application
 * catches. Provide it as APP_FILTER, behind one that catches all, where that one is to leave denials alone.
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

Catch(RateLimitException)(RateLimitFilter);
Inject(HttpAdapterHost)(RateLimitFilter, undefined, 0);
