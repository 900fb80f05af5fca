import type { onRequestAsyncHookHandler } from 'fastify';
import { RateLimiterRes, type RateLimiterAbstract } from 'rate-limiter-flexible';
import { flexibleHeaders } from '../flexible-headers.js';
import { CLIENT_HEADER } from '../http-contestant.js';

/** The hook that an application has to write for it. */
export function flexibleHook(limiter: RateLimiterAbstract, limit: number): onRequestAsyncHookHandler {
  return async (request, reply) => {
    try {
      reply.headers(flexibleHeaders(limit, await limiter.consume(String(request.headers[CLIENT_HEADER]))));
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error;
      await reply.code(429).headers(flexibleHeaders(limit, error)).send('Too Many Requests');
    }
  };
}
