import { createLimiter, type OnStoreFailure, type Store } from '../../packages/core/src/index.js';
import { digestOf } from '../../packages/core/src/limiter/claims/store-keys.js';
import type { Slots } from '../redis/cluster/slots.js';
import { TIER } from './limiters.js';
import { IDENTITY, type Limited, type Subject } from './traffic.js';

const MODES: readonly OnStoreFailure[] = ['local', 'allow', 'deny'];

/** The identities of steady traffic. */
const IDENTITIES = Array.from({ length: 6 }, (_, index) => `${IDENTITY}${index}@example.org`);

/** Limiters for steady traffic on a Cluster, all counters of which are on one primary. */
export async function limitersOnShard(store: Store, slots: Slots, primary: number): Promise<Limited[]> {
  const moved = new Map<string, string>();
  for (const id of IDENTITIES) moved.set(id, await identityOn(slots, primary, id));
  return MODES.map((onStoreFailure) => ({
    onStoreFailure,
    limiter: createLimiter<Subject>({
      store,
      name: `${TIER}${onStoreFailure}`,
      algorithm: 'fixed-window',
      limit: 1_000_000,
      window: '1h',
      key: ({ id }) => moved.get(id)!,
      onStoreFailure,
    }),
  }));
}

/** An identity like another one, whose counters are on a primary. */
export async function identityOn(slots: Slots, primary: number, like: string): Promise<string> {
  for (let attempt = 0; ; attempt += 1) {
    const id = `${like}#${attempt}`;
    if ((await slots.primaryOf(tagOf(id))) === primary) return id;
  }
}

/** Gives all slots of steady traffic to one primary, while there is nothing in them. */
export async function gatherTraffic(slots: Slots, primary: number): Promise<void> {
  for (const tag of IDENTITIES.map(tagOf)) {
    if ((await slots.primaryOf(tag)) !== primary) await slots.move(tag, primary);
  }
  // A replica that has not heard of it would not take these slots over.
  await slots.agreed();
}

/** What the keys of an identity have between their braces. */
function tagOf(id: string): string {
  return digestOf(id);
}
