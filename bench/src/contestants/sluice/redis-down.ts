import { createLimiter, type Decision } from '@sluice/core';
import { redisStore } from '@sluice/redis';
import { SkippedWork, type Runner, type Setting } from '../contestant.js';

/** A limiter whose Redis cannot be reached: each process decides alone. */
export async function open({ limit, window }: Setting): Promise<Runner> {
  // Nothing listens on the first port.
  const store = redisStore({ url: 'redis://127.0.0.1:1' }, { connectDeadline: '1ms' });
  const limiter = createLimiter<string>({
    store,
    tiers: [{ name: 'one', key: (key) => key, algorithm: 'fixed-window', limit, window }],
  });
  await limiter.consume('first');
  return {
    check: (key) => limiter.consume(key),
    admitted({ allowed, source }: Decision) {
      if (source !== 'local') throw new SkippedWork(`answered by ${source}`);
      return allowed;
    },
    close: () => store.close(),
  };
}
