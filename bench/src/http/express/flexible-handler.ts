import type { RequestHandler } from 'express';
import { RateLimiterRes, type RateLimiterAbstract } from 'rate-limiter-flexible';
import { flexibleHeaders } from '../flexible-headers.js';
import { CLIENT_HEADER } from '../http-contestant.js';

/** Middleware as its documentation shows it: the package has none. */
export function flexibleHandler(limiter: RateLimiterAbstract, limit: number): RequestHandler {
  return (request, response, next) => {
    limiter
      .consume(request.get(CLIENT_HEADER)!)
      .then((allowed) => {
        response.set(flexibleHeaders(limit, allowed));
        next();
      })
      .catch((denied: unknown) => {
        if (!(denied instanceof RateLimiterRes)) return next(denied);
        response.set(flexibleHeaders(limit, denied)).status(429).send('Too Many Requests');
      });
  };
}
