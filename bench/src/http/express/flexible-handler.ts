import type { RequestHandler } from 'express';
import { RateLimiterRes, type RateLimiterAbstract } from 'rate-limiter-flexible';
import { flexibleDenialHeaders, flexibleHeaders } from '../flexible-headers.js';
import { CLIENT_HEADER, type HttpSetting } from '../http-contestant.js';

/** Middleware as its documentation shows it: the package has none. */
export function flexibleHandler(
  limiter: RateLimiterAbstract,
  { limit, identity }: Pick<HttpSetting, 'limit' | 'identity'>,
): RequestHandler {
  return (request, response, next) => {
    limiter
      .consume(identity === 'header' ? request.get(CLIENT_HEADER)! : request.ip!)
      .then((allowed) => {
        response.set(flexibleHeaders(limit, allowed));
        next();
      })
      .catch((denied: unknown) => {
        if (!(denied instanceof RateLimiterRes)) return next(denied);
        response.set(flexibleDenialHeaders(limit, denied)).status(429).send('Too Many Requests');
      });
  };
}
