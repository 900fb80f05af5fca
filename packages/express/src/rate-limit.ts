import {
  createGate,
  type Admission,
  type Body,
  type Decision,
  type Denial,
  type GatedLimiterOptions,
  type Limiter,
} from '@sluice/core';
import type { NextFunction, Request, RequestHandler, Response } from 'express';

import { rememberDecision } from './decided-request.js';
import { trustOf } from './proxy-trust.js';

declare global {
  // Express has its types extended here.
  namespace Express {
    interface Request {
      /** The decision that was made last about this request. */
      rateLimit?: Decision;
    }
    interface Locals {
      /** The decision that was made last about this request. */
      rateLimit?: Decision;
    }
  }
}

/** The options of a limiter and of its gate together, or `{ limiter, ... }` with one that is shared. */
export type RateLimitOptions = GatedLimiterOptions<Request, RequestHandler>;

/** Middleware that knows its limiter. It stands before handlers of any route, and leaves their types as they are. */
export interface RateLimitHandler {
  <Parameters, Answer, Content, Query, Locals extends Record<string, unknown>>(
    request: Request<Parameters, Answer, Content, Query, Locals>,
    response: Response<Answer, Locals>,
    next: NextFunction,
  ): void;
  /** To settle, refund, reset and inspect what the middleware has counted. */
  readonly limiter: Limiter<Request>;
  /** The decision that this middleware has made about a request. */
  decision(request: Request): Decision | undefined;
}

/**
 * Middleware that counts requests, for an app, a router or a route. Denies with 429, 422 or 503, headers and problem
 * details; what it has decided is in `req.rateLimit` and `res.locals.rateLimit`.
 *
 * @throws ConfigError that names the option, the rule and the value
 */
export function rateLimit(options: RateLimitOptions | Limiter<Request>): RateLimitHandler {
  const gate = createGate(options, trustOf);

  const answer = (admission: Admission, request: Request, response: Response, next: NextFunction): unknown => {
    if (admission.state === 'ended') return undefined;
    if (admission.decision) rememberDecision(request, response, admission.decision);
    if (admission.state === 'admitted') {
      next();
      return undefined;
    }
    if (!gate.onDenied) return send(response, admission);
    response.status(admission.problem.status);
    return gate.onDenied(request, response, next);
  };
  const handler: RequestHandler = (request, response, next) => {
    const admission = gate.admit(request, response);
    const answered =
      admission instanceof Promise
        ? admission.then((admitted) => answer(admitted, request, response, next))
        : answer(admission, request, response, next);
    // Express 4 does not inspect at what a handler returns.
    if (answered instanceof Promise) answered.catch(next);
  };
  return Object.assign(handler as RateLimitHandler, {
    limiter: gate.limiter,
    decision: (request: Request) => gate.decision(request),
  });
}

function send(response: Response, denial: Denial): void | Promise<void> {
  const write = ({ contentType, text }: Body): void => {
    // Somebody has answered while the body was made.
    if (response.headersSent) return;
    response.statusCode = denial.problem.status;
    response.setHeader('Content-Type', `${contentType}; charset=utf-8`);
    response.setHeader('Content-Length', Buffer.byteLength(text));
    // Express would make an ETag, of what nobody may store.
    response.end(text);
  };
  const body = denial.body();
  return body instanceof Promise ? body.then(write) : write(body);
}
