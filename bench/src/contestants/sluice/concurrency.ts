import type { Runner, Setting } from '../contestant.js';
import { PERMITS } from '../permits.js';
import { limiterOnRedis } from './limiter.js';

export function open(setting: Setting): Promise<Runner> {
  const tier = { name: 'running', key: (caller: string) => caller, algorithm: 'concurrency', limit: PERMITS } as const;
  return limiterOnRedis(setting, [tier], { end: (limiter, decision) => limiter.release(decision) });
}
