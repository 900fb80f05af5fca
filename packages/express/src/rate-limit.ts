import type { Admission, Decision, Denial, Limiter, MaybePromise } from '@sluice/http';
import {
  createGate,
  expressTrust,
  warn,
  type ProxyTrust,
  type Body,
  type GatedLimiterOptions,
} from '@sluice/http/adapter';
import { UsageError } from '@sluice/http/app';
import type { NextFunction, Request, RequestHandler, Response } from 'express';

import { answerDenial } from './answer-denial.js';

declare global {
  // oxlint-disable-next-line typescript/no-namespace -- the only way to extend the types of Express
  namespace Express {
    interface Request {
      /** The last decision about this request. */
      rateLimit?: Decision;
    }
    interface Locals {
      /** The last decision about this request. */
      rateLimit?: Decision;
    }
  }
}

/** The options of a limiter and of its gate together, or `{ limiter, ... }` with a shared limiter. */
export type RateLimitOptions = GatedLimiterOptions<Request, RequestHandler>;

/** Rate-limiting middleware. It fits any route, and does not change the types of the handlers behind it. */
export interface RateLimitHandler {
  <Parameters, Answer, Content, Query, Locals extends Record<string, unknown>>(
    request: Request<Parameters, Answer, Content, Query, Locals>,
    response: Response<Answer, Locals>,
    next: NextFunction,
  ): void;
  /** The limiter of the middleware: to settle, refund, reset and inspect. */
  readonly limiter: Limiter<Request>;
  /** The decision of this middleware about a request. */
  decision(request: Request): Decision | undefined;
}

/**
 * Creates middleware that limits requests, for an app, a router or a route. A denied request gets 429, 422, 503 or 403 with
 * headers and problem details. The decision is in `req.rateLimit` and `res.locals.rateLimit`.
 *
 * @throws ConfigError that names the option, the rule and the value
 * @example app.use(rateLimit({ limit: 100, window: '1m' }));
 */
export function rateLimit(options: RateLimitOptions): RateLimitHandler {
  const gate = createGate(options, { trust: trustOf });

  const answer = (admission: Admission, request: Request, response: Response, next: NextFunction): unknown => {
    if (admission.state === 'ended') return undefined;
    // Connect and plain servers have no locals.
    if (admission.decision && response.locals) response.locals.rateLimit = admission.decision;
    if (admission.state === 'admitted') {
      next();
      return undefined;
    }
    if (!gate.onDenied) return send(admission, response);
    response.statusCode = admission.problem.status;
    return answerDenial(gate.onDenied, { request, response, next });
  };
  const handler: RequestHandler = (request, response, next) => {
    let admission: MaybePromise<Admission>;
    try {
      if (response.headersSent) warn('SLUICE_AFTER_ANSWER', AFTER_ANSWER);
      admission = gate.admit(request, response);
    } catch (error) {
      throw explained(error, response);
    }
    const answered =
      admission instanceof Promise
        ? admission.then((admitted) => answer(admitted, request, response, next))
        : answer(admission, request, response, next);
    // Express 4 ignores the promise that a handler returns.
    if (answered instanceof Promise) answered.catch((error: unknown) => next(explained(error, response)));
  };
  return Object.assign(handler as RateLimitHandler, {
    limiter: gate.limiter,
    decision: (request: Request) => gate.decision(request),
  });
}

const AFTER_ANSWER =
  'rateLimit: the limit ran after the response had begun, so it could not deny the request: write app.use(rateLimit({ … })) above the routes';

/** The error of a limit: in a hook of another framework nothing works, and the error of an engine does not say why. */
function explained(error: unknown, response: Partial<Response>): unknown {
  if (typeof response.setHeader === 'function') return error;
  const rule = 'on Fastify use @sluice/fastify: await app.register(rateLimit, { … })';
  const message = `rateLimit: this is the middleware of @sluice/express, whose response has setHeader: ${rule}`;
  return new UsageError('USAGE_INVALID', message, { cause: error });
}

/** Without an app, in connect or a plain server, nothing is known about proxies. */
function trustOf({ app }: Partial<Request>): ProxyTrust {
  return app ? expressTrust(app) : 'some';
}

function send({ problem, body: makeBody }: Denial, response: Response): void | Promise<void> {
  const write = ({ contentType, text }: Body): void => {
    // The application may have answered while it made the body.
    if (response.headersSent) return;
    response.statusCode = problem.status;
    response.setHeader('content-type', `${contentType}; charset=utf-8`);
    response.setHeader('content-length', Buffer.byteLength(text));
    // `send` of Express would add an ETag to a response that must not be stored.
    response.end(text);
  };
  const body = makeBody();
  return body instanceof Promise ? body.then(write) : write(body);
}
