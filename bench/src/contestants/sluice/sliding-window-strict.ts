import type { Runner, Setting } from '../contestant.js';
import { limiterOnRedis } from './limiter.js';

export function open(setting: Setting): Promise<Runner> {
  const { limit, window } = setting;
  return limiterOnRedis(setting, [
    { name: 'one', key: (key) => key, algorithm: 'sliding-window', strict: true, limit, window },
  ]);
}
