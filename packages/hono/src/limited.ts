import { methodDecorator, type HandlerDecorator } from '@sluice/http/adapter';
import type { Context, Next } from 'hono';

import { rateLimit, type RateLimitOptions } from './rate-limit.js';

type Handler = (this: object, c: Context, next: Next) => unknown;

/**
 * Decorates a handler method of a class with its own limit, and binds the method: `app.post('/login', api.login)` works.
 * For standard decorators and for TypeScript's `experimentalDecorators`.
 *
 * @throws ConfigError when the class is defined
 * @example
 * class Api {
 *   @limited({ limit: 5, window: '1m' })
 *   login(c) {}
 * }
 */
export function limited(options: RateLimitOptions): HandlerDecorator {
  const limit = rateLimit(options);
  return methodDecorator<Handler>(
    (handler) =>
      function limitedHandler(c, next) {
        return limit(c, async () => {
          const response = await handler.call(this, c, next);
          if (response instanceof Response) c.res = response;
        });
      },
  );
}
