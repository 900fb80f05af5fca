import type { Runner, Setting } from '../contestant.js';
import { limiterOnRedis } from './limiter.js';

export function open(setting: Setting): Promise<Runner> {
  const { limit, window } = setting;
  const queue = limit - 1;
  return limiterOnRedis(setting, [{ name: 'one', key: (key) => key, algorithm: 'leaky-bucket', limit, window, queue }]);
}
