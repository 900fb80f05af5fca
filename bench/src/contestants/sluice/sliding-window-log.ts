import type { Runner, Setting } from '../contestant.js';
import { limiterOnRedis } from './limiter.js';

const LONGEST = 10_000;

export function open(setting: Setting): Promise<Runner> {
  const { window } = setting;
  // A log cannot be longer.
  const limit = Math.min(setting.limit, LONGEST);
  return limiterOnRedis(setting, [{ name: 'one', key: (key) => key, algorithm: 'sliding-window-log', limit, window }]);
}
