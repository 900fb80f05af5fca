import type { Runner, Setting } from '../contestant.js';
import { limiterOnRedis } from './limiter.js';

// A thousandth of the limit, for no longer than a second: as the guide tells for a hot key, or less.
const LEASE = { units: 1_000, duration: '1s' } as const;

export function open(setting: Setting): Promise<Runner> {
  const { limit, window } = setting;
  return limiterOnRedis(setting, [
    { name: 'one', key: (key) => key, algorithm: 'fixed-window', limit, window, lease: LEASE },
  ]);
}
