import type { Runner, Setting } from '../contestant.js';
import { limiterOnRedis } from './limiter.js';
import { overrideOthers } from './ten-thousand-overrides.js';

export function open(setting: Setting): Promise<Runner> {
  const { limit, window } = setting;
  const tiers = [{ name: 'one', key: (key: string) => key, algorithm: 'fixed-window', limit, window } as const];
  return limiterOnRedis(setting, tiers, { prepare: (limiter) => overrideOthers(limiter, 2 * limit) });
}
