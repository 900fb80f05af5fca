import type { onRequestAsyncHookHandler } from 'fastify';
import { RateLimiterRes, type RateLimiterAbstract } from 'rate-limiter-flexible';
import { flexibleDenialHeaders, flexibleHeaders } from '../flexible-headers.js';
import { CLIENT_HEADER, type HttpSetting } from '../http-contestant.js';

/** The hook that an application has to write for it. */
export function flexibleHook(
  limiter: RateLimiterAbstract,
  { limit, identity }: Pick<HttpSetting, 'limit' | 'identity'>,
): onRequestAsyncHookHandler {
  return async (request, reply) => {
    try {
      const client = identity === 'header' ? String(request.headers[CLIENT_HEADER]) : request.ip;
      reply.headers(flexibleHeaders(limit, await limiter.consume(client)));
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error;
      await reply.code(429).headers(flexibleDenialHeaders(limit, error)).send('Too Many Requests');
    }
  };
}
