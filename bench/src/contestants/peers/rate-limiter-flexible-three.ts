import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import type { Runner, Setting } from '../contestant.js';
import { tenantOf, userOf, windowsOf } from '../identities.js';

export function open(setting: Setting): Runner {
  const { connect, prefix, limit } = setting;
  const storeClient = connect();
  const [first, second, third] = windowsOf(setting).map(
    (window, index) =>
      new RateLimiterRedis({
        storeClient,
        keyPrefix: `${prefix}${index}`,
        points: limit,
        duration: window / 1000,
      }),
  );
  return {
    check: (key) => Promise.all([first!.consume(key), second!.consume(userOf(key)), third!.consume(tenantOf(key))]),
    admitted: () => true,
    isDenial: (error) => error instanceof RateLimiterRes,
  };
}
