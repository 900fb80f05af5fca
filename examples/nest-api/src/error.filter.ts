import { Catch, HttpException, Inject, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';

/** Answers errors with a message in JSON. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  readonly #host: HttpAdapterHost;

  constructor(@Inject(HttpAdapterHost) host: HttpAdapterHost) {
    this.#host = host;
  }

  catch(error: unknown, context: ArgumentsHost): void {
    // An error of the client is an HttpException, such as for invalid JSON. Details of other errors stay private.
    const isPublic = error instanceof HttpException;
    if (!isPublic) console.error(error);
    const message = isPublic ? error.message : 'Internal error';
    const response = context.switchToHttp().getResponse<object>();
    this.#host.httpAdapter.reply(response, { error: message }, isPublic ? error.getStatus() : 500);
  }
}
