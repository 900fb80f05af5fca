import { methodDecorator, type HandlerDecorator } from '@sluice/http/adapter';
import type { NextFunction, Request, Response } from 'express';

import { holdPermits } from './hold-permits.js';
import { rateLimit, type RateLimitOptions } from './rate-limit.js';

type Handler = (this: object, request: Request, response: Response, next: NextFunction) => unknown;

/**
 * Decorates a handler method of a class with its own limit, and binds the method: `app.post('/login', api.login)` works.
 * For standard decorators and for TypeScript's `experimentalDecorators`.
 *
 * @throws ConfigError when the class is defined
 * @example
 * class Api {
 *   @limited({ limit: 5, window: '1m' })
 *   login(request, response) {}
 * }
 */
export function limited(options: RateLimitOptions): HandlerDecorator {
  const limit = rateLimit(options);
  return methodDecorator<Handler>(
    (handler) =>
      function limitedHandler(request, response, next) {
        const held = holdPermits(async () => handler.call(this, request, response, next));
        limit(request, response, (error?: unknown) => {
          if (error) next(error);
          else held(request, response, next);
        });
      },
  );
}
