import type { Runner, Setting } from '../contestant.js';
import { increment, RedisStore, type Hits } from './fastify-store.js';

export function open(setting: Setting): Runner {
  const { connect, prefix, limit } = setting;
  const store = new RedisStore(false, false, connect(), prefix);
  return {
    check: (key) => increment(store, key, setting),
    admitted: ({ current }: Hits) => current <= limit,
  };
}
