import type { RedisStore } from '@sluice/redis';
import type { Redis } from 'ioredis';
import { NO_POSITION, type ListStore } from '../../packages/core/src/stores/store.js';

/** The key of the list `long`. */
export const LONG_LIST = 'rl:{long}:list';

/** Stores that many networks as 0.1.0 did, which takes less time than hundreds of changes. */
export async function storeLongList(admin: Redis, store: RedisStore, count: number): Promise<void> {
  const lists = store as RedisStore & ListStore;
  await lists.readList(LONG_LIST, NO_POSITION);
  for (let at = 0; at < count; at += 10_000) {
    const networks = Array.from({ length: 10_000 }, (_, each) => [addressOf(at + each), '0 ']);
    await admin.hset(LONG_LIST, Object.fromEntries(networks) as Record<string, string>);
  }
  await admin.hset(LONG_LIST, 'version', `${Date.now()}000`);
  await lists.readList(LONG_LIST, NO_POSITION);
}

/** Half of them are of IPv6. */
export function addressOf(index: number): string {
  const low = `${(index >> 8) & 255}.${index & 255}`;
  return index % 2 === 0 ? `10.${index >> 16}.${low}` : `2001:db8::${index >> 16}:${(index & 0xff_ff).toString(16)}`;
}
