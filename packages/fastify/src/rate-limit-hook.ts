import { ConfigError, UsageError, type Decision, type Limiter } from '@sluice/core';
import { warn, type OptionReader } from '@sluice/http/adapter';
import type {
  FastifyReply,
  FastifyRequest,
  RawServerBase,
  RawServerDefault,
  RouteGenericInterface,
  RouteOptions,
} from 'fastify';

import { createFastifyGate, passGate, type HookOptions } from './fastify-gate.js';
import { nameOf } from './route-name.js';

/** The hook of Fastify in which a limiter runs. */
export type HookName = 'onRequest' | 'preValidation' | 'preHandler';

const HOOK_NAMES: readonly HookName[] = ['onRequest', 'preValidation', 'preHandler'];

/** Reads the option `hook`. @throws ConfigError */
export function readHookName(reader: OptionReader, otherwise: HookName): HookName {
  return reader.one('hook', { oneOf: HOOK_NAMES, otherwise });
}

/** A hook of an application on any server, HTTP/2 included. */
type Hook = <Server extends RawServerBase = RawServerDefault>(
  request: FastifyRequest<RouteGenericInterface, Server>,
  reply: FastifyReply<RouteGenericInterface, Server>,
  done: (error?: Error) => void,
) => void;

/** A rate-limiting hook for `onRequest`, `preValidation` or `preHandler`. */
export interface RateLimitHook extends Hook {
  /** The limiter of the hook: to settle, refund, reset and inspect. */
  readonly limiter: Limiter<FastifyRequest>;
  /** The decision of this hook about a request. */
  decision(request: Pick<FastifyRequest, 'rateLimit'>): Decision | undefined;
}

const OTHER_HOOKS = [
  'preParsing',
  'preSerialization',
  'onSend',
  'onResponse',
  'onError',
  'onTimeout',
  'onRequestAbort',
] as const;

const WRONG_HOOK =
  "rateLimit: a hook of app.rateLimit runs in onRequest, preValidation or preHandler only: write app.addHook('preHandler', app.rateLimit({ … }))";

/** @throws ConfigError for a route with a rate-limiting hook where it cannot deny */
export function checkHooks(route: RouteOptions): void {
  const name = OTHER_HOOKS.find((each) => [route[each] ?? []].flat().some(isRateLimitHook));
  if (name === undefined) return;
  const rule = `${name} cannot be a hook of app.rateLimit, which runs in ${HOOK_NAMES.join(', ')}`;
  throw new ConfigError('OPTION_INVALID', name, undefined, `route ${nameOf(route)}: ${rule}`);
}

/** True for a hook of any copy of this package. */
function isRateLimitHook(hook: object): boolean {
  return 'limiter' in hook && 'decision' in hook;
}

function wrongHook(): UsageError {
  // Fastify only logs the error of a hook such as `onResponse`, and its logger is off by default.
  warn('SLUICE_WRONG_FASTIFY_HOOK', WRONG_HOOK);
  return new UsageError('USAGE_INVALID', WRONG_HOOK);
}

/** @throws ConfigError that names the option, the rule and the value */
export function rateLimitHook(options: HookOptions): RateLimitHook {
  const gate = createFastifyGate(options);
  const hook = (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) => {
    // Other hooks have other arguments, or run when the response was sent.
    if (typeof done !== 'function' || reply.raw.writableEnded) throw wrongHook();
    const passed = passGate(gate, request, reply);
    // `done` is not chained: its errors belong to the hooks and handlers that it calls.
    if (passed === true) done();
    else if (passed !== false) passed.then((goesOn) => void (goesOn && done()), done);
  };
  return Object.assign(hook as Hook, {
    limiter: gate.limiter,
    decision: (request: Pick<FastifyRequest, 'rateLimit'>) => gate.decision(request as FastifyRequest),
  });
}
