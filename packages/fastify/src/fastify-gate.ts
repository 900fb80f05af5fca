import {
  createGate,
  isSluiceError,
  UsageError,
  type Admission,
  type Denial,
  type Gate,
  type MaybePromise,
} from '@sluice/http';
import { FastifyResponse, fastifyTrust, watchDenial, type Body, type GatedLimiterOptions } from '@sluice/http/adapter';
import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * The request that the functions of a limit get. The `config` of a route does not know the types of its body, query and
 * parameters, so they are `any`: a function of your own request type is accepted without a cast.
 *
 * @example by('phone', (request: FastifyRequest<{ Body: Login }>) => request.body?.phone)
 */
// oxlint-disable typescript/no-explicit-any -- No other type accepts functions of every request.
export type LimitedRequest = FastifyRequest<{ Body: any; Querystring: any; Params: any }> & {
  body: any;
  query: any;
  params: any;
};
// oxlint-enable typescript/no-explicit-any

/**
 * Answers a denied request like a handler: it returns the payload, or sends it and returns the reply, or throws for the
 * error handler. Status and headers are set before.
 */
export type OnDenied = (request: LimitedRequest, reply: FastifyReply) => unknown;

/** The options of a limiter and of its gate together, or `{ limiter, ... }` with a shared limiter. */
export type HookOptions = GatedLimiterOptions<LimitedRequest, OnDenied>;

export type FastifyGate = Gate<LimitedRequest, OnDenied>;

/** @throws ConfigError that names the option, the rule and the value */
export function createFastifyGate(options: HookOptions): FastifyGate {
  return createGate(options, { trust: ({ server }) => fastifyTrust(server) });
}

/** Whether a request goes on. If not, its reply is sent or will be. */
export function passGate(gate: FastifyGate, request: FastifyRequest, reply: FastifyReply): MaybePromise<boolean> {
  const admission = gate.admit(request, new FastifyResponse(reply));
  if (admission instanceof Promise) return admission.then((each) => answer(gate, each, reply), withoutDetails);
  return admission.state === 'admitted' || answer(gate, admission, reply);
}

function answer(gate: FastifyGate, admission: Admission, reply: FastifyReply): MaybePromise<boolean> {
  if (admission.state !== 'denied') return admission.state === 'admitted';
  if (!gate.onDenied) return sendProblem(admission, reply);
  setDefaultStatus(reply, admission.problem.status);
  return sendPayload(gate.onDenied(reply.request, reply), reply);
}

/** Sets the status of a denial. Fastify's `redirect` would keep it as one that the application has chosen. */
function setDefaultStatus(reply: FastifyReply, status: number): void {
  const redirect = reply.code(status).redirect.bind(reply);
  reply.redirect = (url, code = reply.statusCode === status ? 302 : undefined) => redirect(url, code);
}

/** Sends the result of `onDenied` by the rules for the result of any handler. */
function sendPayload(payload: unknown, reply: FastifyReply): MaybePromise<false> {
  if (payload === reply || payload === undefined) {
    watchDenial({ isOver: () => isOver(reply), remedy: 'return a payload, or call reply.send(…)' });
    return false;
  }
  if (isThenable(payload)) return sendWhenResolved(payload, reply);
  reply.send(payload);
  return false;
}

/** The test that Fastify applies to the result of a handler. */
function isThenable(payload: unknown): payload is PromiseLike<unknown> {
  return typeof (payload as Partial<PromiseLike<unknown>> | null)?.then === 'function';
}

async function sendWhenResolved(payload: PromiseLike<unknown>, reply: FastifyReply): Promise<false> {
  const resolved = await payload;
  // If the handler has sent the reply itself, the result is the reply or nothing.
  if (!isOver(reply)) reply.send(resolved);
  return false;
}

function isOver({ sent, raw }: FastifyReply): boolean {
  return sent || raw.headersSent || raw.destroyed;
}

function sendProblem({ problem, body: makeBody }: Denial, reply: FastifyReply): MaybePromise<false> {
  const write = ({ contentType, text }: Body): false => {
    // The application may have answered while it made the body.
    if (!reply.sent) reply.code(problem.status).type(`${contentType}; charset=utf-8`).send(text);
    return false;
  };
  const body = makeBody();
  return body instanceof Promise ? body.then(write, withoutDetails) : write(body);
}

/** Fastify sends the message of an error to the client. @throws the error as the cause of one with a general message */
function withoutDetails(error: unknown): never {
  if (!isSluiceError(error)) throw error;
  throw new UsageError(error.code, 'Internal Server Error', { cause: error });
}
