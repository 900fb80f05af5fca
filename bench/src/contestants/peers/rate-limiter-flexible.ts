import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import type { Runner, Setting } from '../contestant.js';

export function open({ connect, prefix, limit, window }: Setting): Runner {
  const limiter = new RateLimiterRedis({
    storeClient: connect(),
    keyPrefix: prefix,
    points: limit,
    duration: window / 1000,
  });
  return {
    check: (key) => limiter.consume(key),
    admitted: () => true,
    isDenial: (error) => error instanceof RateLimiterRes,
  };
}
