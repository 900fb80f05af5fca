import { holdWhile, methodDecorator, type HandlerDecorator } from '@sluice/http/adapter';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { createFastifyGate, passGate, type HookOptions } from './fastify-gate.js';

type Handler = (this: object, request: FastifyRequest, reply: FastifyReply) => unknown;

/**
 * Decorates a handler method of a class with its own limit, and binds the method: `app.post('/login', api.login)` works.
 * For standard decorators and for TypeScript's `experimentalDecorators`.
 *
 * @throws ConfigError when the class is defined
 * @example
 * class Api {
 *   @limited({ limit: 5, window: '1m' })
 *   async login(request, reply) {}
 * }
 */
export function limited(options: HookOptions): HandlerDecorator {
  const gate = createFastifyGate(options);
  return methodDecorator<Handler>(
    (handler) =>
      async function limitedHandler(request, reply) {
        if (!(await passGate(gate, request, reply))) return reply;
        const payload = holdWhile(request, () => handler.call(this, request, reply));
        // A handler without a result sends the reply later.
        return payload === undefined ? reply : payload;
      },
  );
}
