import type { Runner, Setting } from '../contestant.js';
import { limiterOnRedis } from './limiter.js';

export function open(setting: Setting): Promise<Runner> {
  const { limit, window } = setting;
  const tier = { name: 'one', key: (key: string) => key, algorithm: 'fixed-window', limit, window } as const;
  return limiterOnRedis(setting, [tier], { denyCache: false });
}
