import type { Store } from '../../../packages/core/src/index.js';
import { digestOf, identityText } from '../../../packages/core/src/limiter/keys/store-keys.js';
import type { Slots } from '../../redis/cluster/slots.js';
import { limitersOn } from '../traffic/limiters.js';
import { IDENTITY, type Limited } from '../traffic/traffic.js';

/** The identities of `Traffic`. */
const IDENTITIES = Array.from({ length: 6 }, (_, index) => `${IDENTITY}${index}@example.org`);

/** Limiters for `Traffic` on a Cluster, with all counters on one primary. */
export async function limitersOnShard(store: Store, slots: Slots, primary: number): Promise<Limited[]> {
  const moved = new Map<string, string>();
  for (const id of IDENTITIES) moved.set(id, await identityOn(slots, primary, id));
  return limitersOn(store, (id) => moved.get(id)!);
}

/** A variant of an identity with its counters on a primary. */
export async function identityOn(slots: Slots, primary: number, like: string): Promise<string> {
  for (let attempt = 0; ; attempt += 1) {
    const id = `${like}#${attempt}`;
    if ((await slots.primaryOf(tagOf(id))) === primary) return id;
  }
}

/** Moves all slots of `Traffic` to one primary, while they are empty. */
export async function gatherTraffic(slots: Slots, primary: number): Promise<void> {
  for (const tag of IDENTITIES.map(tagOf)) {
    if ((await slots.primaryOf(tag)) !== primary) await slots.move(tag, primary);
  }
  // A replica without this news would not take over these slots.
  await slots.agreed();
}

/** The hash tag of an identity's keys. */
function tagOf(id: string): string {
  return digestOf(identityText(id));
}
