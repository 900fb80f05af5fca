import { Catch, HttpException, Inject, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';

/** Answers what went wrong, with a sentence in JSON. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  readonly #host: HttpAdapterHost;

  constructor(@Inject(HttpAdapterHost) host: HttpAdapterHost) {
    this.#host = host;
  }

  catch(error: unknown, context: ArgumentsHost): void {
    // What a client did wrong is such an exception, as for JSON that is none. Anything else is not its business.
    const known = error instanceof HttpException;
    if (!known) console.error(error);
    const message = known ? error.message : 'Something went wrong here';
    const response = context.switchToHttp().getResponse<object>();
    this.#host.httpAdapter.reply(response, { error: message }, known ? error.getStatus() : 500);
  }
}
