import type { Runner, Setting } from '../contestant.js';
import { tenantOf, userOf, windowsOf } from '../identities.js';
import { increment, RedisStore, type Hits } from './fastify-store.js';

export function open(setting: Setting): Runner {
  const { connect, prefix, limit } = setting;
  const client = connect();
  const [first, second, third] = windowsOf(setting).map((window, index) => ({
    store: new RedisStore(false, false, client, `${prefix}${index}`),
    numbers: { window, limit },
  }));
  return {
    check: (key) =>
      Promise.all([
        increment(first!.store, key, first!.numbers),
        increment(second!.store, userOf(key), second!.numbers),
        increment(third!.store, tenantOf(key), third!.numbers),
      ]),
    admitted: (all: readonly Hits[]) => all.every(({ current }) => current <= limit),
  };
}
