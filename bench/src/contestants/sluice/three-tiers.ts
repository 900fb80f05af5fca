import type { Runner, Setting } from '../contestant.js';
import { tenantOf, userOf, windowsOf } from '../identities.js';
import { limiterOnRedis } from './limiter.js';

type Algorithm = 'fixed-window' | 'sliding-window' | 'token-bucket';

/** An address, a user and a tenant, decided together. */
export function threeTiers(setting: Setting, algorithm: Algorithm): Promise<Runner> {
  const { limit } = setting;
  const [first, second, third] = windowsOf(setting);
  return limiterOnRedis(setting, [
    { name: 'address', key: (key) => key, algorithm, limit, window: first },
    { name: 'user', key: userOf, algorithm, limit, window: second },
    { name: 'tenant', key: tenantOf, algorithm, limit, window: third },
  ]);
}
