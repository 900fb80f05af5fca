import type { Runner, Setting } from '../contestant.js';
import { limiterOnRedis } from './limiter.js';

// A thousandth of the limit for at most a second, as the guide advises for a hot key.
const LEASE = { units: 1_000, duration: '1s' } as const;

export function open(setting: Setting): Promise<Runner> {
  const { limit, window } = setting;
  return limiterOnRedis(setting, [
    { name: 'one', key: (key) => key, algorithm: 'fixed-window', limit, window, lease: LEASE },
  ]);
}
