import { UsageError } from '@sluice/http/app';
import { holdWhile, isPromise, show } from '@sluice/http/adapter';
import type { NextFunction, Request, RequestHandler, Response } from 'express';

/**
 * Wraps a handler, so that permits of its request end when the promise of the handler has settled and the response is
 * closed. A limit in flight then bounds work. Express does not tell middleware when a handler has ended: without it
 * permits end with the response, while the handler of a client that has left works on. A rejection goes to `next`, also on
 * Express 4. A handler whose client left before it began does not run.
 *
 * @param handler an async handler. One that calls back ends for this when it returns
 * @throws UsageError for anything but a function of request and response
 * @example app.post('/reports', limit, holdPermits(async (request, response) => response.json(await report(request.body))));
 */
export function holdPermits<Parameters, Answer, Content, Query, Locals extends Record<string, unknown>>(
  handler: (
    request: Request<Parameters, Answer, Content, Query, Locals>,
    response: Response<Answer, Locals>,
    next: NextFunction,
  ) => unknown,
): RequestHandler<Parameters, Answer, Content, Query, Locals> {
  if (typeof handler !== 'function' || handler.length > 3) {
    const rule = 'holdPermits: the handler must be a function (request, response, next) => …';
    throw new UsageError('USAGE_INVALID', `${rule}, got ${show(handler)}`);
  }
  return function heldHandler(request, response, next) {
    // Express 4 ignores the promise that a handler returns.
    const handled = holdWhile(request, () => handler(request, response, next));
    if (isPromise(handled)) void handled.then(undefined, next);
  };
}
