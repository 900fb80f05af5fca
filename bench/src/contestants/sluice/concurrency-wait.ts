import type { Runner, Setting } from '../contestant.js';
import { PERMITS } from '../permits.js';
import { limiterOnRedis } from './limiter.js';

/** Requests may wait for a permit, and none has to. */
export function open(setting: Setting): Promise<Runner> {
  const key = (caller: string) => caller;
  const tier = { name: 'running', key, algorithm: 'concurrency', limit: PERMITS, wait: '1s' } as const;
  return limiterOnRedis(setting, [tier], { end: (limiter, decision) => limiter.release(decision) });
}
