import type { Runner, Setting } from '../contestant.js';
import { PERMITS } from '../permits.js';
import { limiterOnRedis } from './limiter.js';

export function open(setting: Setting): Promise<Runner> {
  const { limit, window } = setting;
  const key = (caller: string) => caller;
  const tiers = [
    { name: 'one', key, algorithm: 'fixed-window', limit, window },
    { name: 'running', key, algorithm: 'concurrency', limit: PERMITS },
  ] as const;
  return limiterOnRedis(setting, tiers, { end: (limiter, decision) => limiter.release(decision) });
}
