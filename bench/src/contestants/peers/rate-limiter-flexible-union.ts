import { RateLimiterRedis, RateLimiterUnion } from 'rate-limiter-flexible';
import type { Runner, Setting } from '../contestant.js';
import { windowsOf } from '../identities.js';

export function open(setting: Setting): Runner {
  const { connect, prefix, limit } = setting;
  const storeClient = connect();
  const limiters = windowsOf(setting).map(
    (window, index) =>
      new RateLimiterRedis({
        storeClient,
        keyPrefix: `${prefix}${index}`,
        points: limit,
        duration: window / 1000,
      }),
  );
  const union = new RateLimiterUnion(...limiters);
  return {
    // It has one key for all of its limiters.
    check: (key) => union.consume(key),
    admitted: () => true,
    isDenial: (error) => !(error instanceof Error),
  };
}
