import type { Runner, Setting } from '../contestant.js';
import { limiterOnRedis } from './limiter.js';

export function open(setting: Setting): Promise<Runner> {
  const { limit, window } = setting;
  const windows = [
    { limit, window },
    { limit, window: window / 4 },
  ];
  return limiterOnRedis(setting, [{ name: 'one', key: (key) => key, algorithm: 'multi-window', windows }]);
}
