import type { Runner, Setting } from '../contestant.js';
import { limiterOnRedis } from './limiter.js';

/** A window that stores the time of each unit. With 10 000 keys all requests fit. */
export function open(setting: Setting): Promise<Runner> {
  const window = { limit: 60, window: 1_000 };
  return limiterOnRedis(setting, [{ name: 'one', key: (key) => key, algorithm: 'sliding-window', ...window }]);
}
