import {
  createGate,
  type Admission,
  type Body,
  type Decision,
  type Denial,
  type Gate,
  type GatedLimiterOptions,
  type Limiter,
  type MaybePromise,
} from '@sluice/core';
import { fastifyTrust, ReplyResponse } from '@sluice/core/adapter';
import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * Answers a denial as a handler does: returns what is to be sent, sends it and, where it is async, returns the reply,
 * or throws what the error handler is to be given. Status and headers are set before.
 */
export type OnDenied = (request: FastifyRequest, reply: FastifyReply) => unknown;

/** The options of a limiter and of its gate together, or `{ limiter, ... }` with one that is shared. */
export type HookOptions = GatedLimiterOptions<FastifyRequest, OnDenied>;

/** A gate that answers denials by replies. */
export class ReplyGate {
  readonly #gate: Gate<FastifyRequest, OnDenied>;

  /** @throws ConfigError that names the option, the rule and the value */
  constructor(options: HookOptions | Limiter<FastifyRequest>) {
    this.#gate = createGate(options, ({ server }) => fastifyTrust(server));
  }

  get limiter(): Limiter<FastifyRequest> {
    return this.#gate.limiter;
  }

  decision(request: FastifyRequest): Decision | undefined {
    return this.#gate.decision(request);
  }

  /** Whether a request goes on. If not, its reply has been taken care of. */
  passes(request: FastifyRequest, reply: FastifyReply): MaybePromise<boolean> {
    const admission = this.#gate.admit(request, new ReplyResponse(reply));
    return admission instanceof Promise
      ? admission.then((admitted) => this.#answer(admitted, request, reply))
      : this.#answer(admission, request, reply);
  }

  #answer(admission: Admission, request: FastifyRequest, reply: FastifyReply): MaybePromise<boolean> {
    if (admission.state === 'ended') return false;
    if (admission.decision) request.rateLimit = admission.decision;
    if (admission.state === 'admitted') return true;
    const { onDenied } = this.#gate;
    if (!onDenied) return send(admission, reply);
    reply.code(admission.problem.status);
    return answer(onDenied(request, reply), reply);
  }
}

/** Sends what a handler of denials has returned, by the rules for what any handler returns. */
function answer(payload: unknown, reply: FastifyReply): MaybePromise<false> {
  if (payload === reply || payload === undefined) return false;
  if (isThenable(payload)) return answerLater(payload, reply);
  reply.send(payload);
  return false;
}

/** As Fastify tells what a handler will be done with later. */
function isThenable(payload: unknown): payload is PromiseLike<unknown> {
  return typeof (payload as Partial<PromiseLike<unknown>> | null)?.then === 'function';
}

async function answerLater(payload: PromiseLike<unknown>, reply: FastifyReply): Promise<false> {
  const settled = await payload;
  // The reply is there when it has been sent, and then nothing comes of it.
  if (!reply.sent && !reply.raw.headersSent && !reply.raw.destroyed) reply.send(settled);
  return false;
}

function send(denial: Denial, reply: FastifyReply): MaybePromise<false> {
  const write = ({ contentType, text }: Body): false => {
    // Somebody has answered while the body was made.
    if (!reply.sent) reply.code(denial.problem.status).type(`${contentType}; charset=utf-8`).send(text);
    return false;
  };
  const body = denial.body();
  return body instanceof Promise ? body.then(write) : write(body);
}
