import type { Decision, Limiter } from '@sluice/core';
import type { FastifyReply, FastifyRequest, RawServerBase, RawServerDefault, RouteGenericInterface } from 'fastify';

import { ReplyGate, type HookOptions } from './reply-gate.js';

/** A hook of an application on any server, over HTTP/2 too. */
type Hook = <Server extends RawServerBase = RawServerDefault>(
  request: FastifyRequest<RouteGenericInterface, Server>,
  reply: FastifyReply<RouteGenericInterface, Server>,
  done: (error?: Error) => void,
) => void;

/** A hook for `onRequest`, `preValidation` or `preHandler` that knows its limiter. */
export interface RateLimitHook extends Hook {
  /** To settle, refund, reset and inspect what the hook has counted. */
  readonly limiter: Limiter<FastifyRequest>;
  /** The decision that this hook has made about a request. */
  decision(request: Pick<FastifyRequest, 'rateLimit'>): Decision | undefined;
}

/** @throws ConfigError that names the option, the rule and the value */
export function rateLimitHook(options: HookOptions | Limiter<FastifyRequest>): RateLimitHook {
  const gate = new ReplyGate(options);
  const hook = (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) => {
    const passed = gate.passes(request, reply);
    // What comes after the hook is not its own: an error in there is none of its promise.
    if (passed instanceof Promise) passed.then((goesOn) => void (goesOn && done()), done);
    else if (passed) done();
  };
  return Object.assign(hook as Hook, {
    limiter: gate.limiter,
    decision: (request: Pick<FastifyRequest, 'rateLimit'>) => gate.decision(request as FastifyRequest),
  });
}
