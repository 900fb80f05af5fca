import { holdWhile, mayHold } from '@sluice/http/adapter';
import type { RouteHandlerMethod, RouteOptions } from 'fastify';

import type { RateLimitHook } from './rate-limit-hook.js';

/** The hooks of a scope and of its routes whose requests may hold permits. Their routes tell when their handlers end. */
export class HeldRoutes {
  #ofAll = false;

  /** A hook that any route of the scope may have. */
  addHook({ limiter }: RateLimitHook): void {
    this.#ofAll ||= mayHold(limiter);
  }

  /** Holds the permits of a route while its handler works. Other routes keep their handlers. */
  watch(route: RouteOptions): void {
    if (this.#ofAll || hooksOf(route).some(({ limiter }) => mayHold(limiter)))
      route.handler = heldHandler(route.handler);
  }
}

/** Those of any copy of this package. */
function hooksOf({ onRequest = [], preValidation = [], preHandler = [] }: RouteOptions): readonly RateLimitHook[] {
  const hooks = [onRequest, preValidation, preHandler].flat() as readonly unknown[];
  return hooks.filter((hook): hook is RateLimitHook => 'limiter' in Object(hook) && 'decision' in Object(hook));
}

function heldHandler(handler: RouteHandlerMethod): RouteHandlerMethod {
  return function heldRouteHandler(request, reply) {
    return holdWhile(request, () => handler.call(this, request, reply));
  };
}
