import type { Runner, Setting } from '../contestant.js';
import { increment, LocalStore, type Hits } from '../peers/fastify-store.js';

export function open(setting: Setting): Runner {
  const { limit, maxKeys } = setting;
  const store = new LocalStore(false, false, maxKeys);
  return {
    check: (key) => increment(store, key, setting),
    admitted: ({ current }: Hits) => current <= limit,
  };
}
