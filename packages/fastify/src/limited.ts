import type { Limiter } from '@sluice/core';
import { methodDecorator, type HandlerDecorator } from '@sluice/core/adapter';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { ReplyGate, type HookOptions } from './reply-gate.js';

type Handler = (this: object, request: FastifyRequest, reply: FastifyReply) => unknown;

/**
 * Decorates a handler method of any class with a limit of its own: `@limited({ limit: 5, window: '1m' })`. The method
 * is bound, so `app.post('/login', api.login)` works. For standard and for legacy decorators.
 *
 * @throws ConfigError when the class is defined
 */
export function limited(options: HookOptions | Limiter<FastifyRequest>): HandlerDecorator {
  const gate = new ReplyGate(options);
  return methodDecorator<Handler>(
    (handler) =>
      async function limitedHandler(request, reply) {
        if (!(await gate.passes(request, reply))) return reply;
        const answer = handler.call(this, request, reply);
        // One that returns nothing sends later.
        return answer === undefined ? reply : answer;
      },
  );
}
