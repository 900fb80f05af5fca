import type { ClientRateLimitInfo } from 'express-rate-limit';
import type { Runner, Setting } from '../contestant.js';
import { tenantOf, userOf, windowsOf } from '../identities.js';
import { startStore } from './rate-limit-redis-store.js';

export async function open(setting: Setting): Promise<Runner> {
  const { connect, prefix, limit } = setting;
  const client = connect();
  const [first, second, third] = await Promise.all(
    windowsOf(setting).map((window, index) => startStore(client, { prefix: `${prefix}${index}`, window })),
  );
  return {
    check: (key) =>
      Promise.all([first!.increment(key), second!.increment(userOf(key)), third!.increment(tenantOf(key))]),
    admitted: (infos: readonly ClientRateLimitInfo[]) => infos.every(({ totalHits }) => totalHits <= limit),
  };
}
