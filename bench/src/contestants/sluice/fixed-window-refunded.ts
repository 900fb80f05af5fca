import type { Runner, Setting } from '../contestant.js';
import { limiterOnRedis } from './limiter.js';

/** Each admitted request gives its unit back, as one whose answer is an error does. */
export function open(setting: Setting): Promise<Runner> {
  const { limit, window } = setting;
  const tier = { name: 'one', key: (key: string) => key, algorithm: 'fixed-window', limit, window } as const;
  return limiterOnRedis(setting, [tier], { end: (limiter, decision) => limiter.refund(decision) });
}
