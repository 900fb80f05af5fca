import type { Limiter } from '@sluice/core';
import { methodDecorator, type HandlerDecorator } from '@sluice/core/adapter';
import type { NextFunction, Request, Response } from 'express';

import { rateLimit, type RateLimitOptions } from './rate-limit.js';

type Handler = (this: object, request: Request, response: Response, next: NextFunction) => unknown;

/**
 * Decorates a handler method of any class with a limit of its own: `@limited({ limit: 5, window: '1m' })`. The method
 * is bound, so `app.post('/login', api.login)` works. For standard and for legacy decorators.
 *
 * @throws ConfigError when the class is defined
 */
export function limited(options: RateLimitOptions | Limiter<Request>): HandlerDecorator {
  const limit = rateLimit(options);
  return methodDecorator<Handler>(
    (handler) =>
      function limitedHandler(request, response, next) {
        limit(request, response, (error?: unknown) => {
          if (error) next(error);
          else void handle(() => handler.call(this, request, response, next), next);
        });
      },
  );
}

/** Express does not see what the handler returns, for it has called the limit. */
async function handle(handler: () => unknown, next: NextFunction): Promise<void> {
  try {
    await handler();
  } catch (error) {
    next(error);
  }
}
