import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import type { RedisCluster } from '../../support/cluster.js';
import { newTag } from '../../support/claim.js';

interface Primary {
  client: Redis;
  id: string;
  port: number;
}

/** The slots of a Cluster, and how to move them. */
export interface Slots {
  /** A new tag in a slot of the first, second or third primary. */
  tagOn(primary: number): Promise<string>;
  /** The index of the primary that holds the slot of a tag. */
  primaryOf(tag: string): Promise<number>;
  /**
   * Moves the slot of a tag to another primary, as an operator's tool does.
   *
   * @param meanwhile called while the slot moves, once before and once after its keys
   */
  move(tag: string, to: number, meanwhile?: () => Promise<void>): Promise<void>;
  /** Resolves when all nodes agree on the owners of all slots. */
  agreed(): Promise<void>;
  /** The reply of each primary to a command. */
  onEach(name: string, ...args: string[]): Promise<unknown[]>;
  close(): void;
}

export async function slotsOf(cluster: RedisCluster): Promise<Slots> {
  const primaries = await Promise.all(
    cluster.nodes.map(async ({ port }): Promise<Primary> => {
      const client = new Redis(port, { disconnectTimeout: 50 }).on('error', () => undefined);
      return { client, port, id: await client.cluster('MYID') };
    }),
  );
  const any = primaries[0]!.client;
  const slotOf = (tag: string) => any.cluster('KEYSLOT', tag);
  const ownerOf = async (slot: number) => {
    const ranges = await any.cluster('SLOTS');
    const range = ranges.find(([first, last]) => first <= slot && slot <= last)!;
    return primaries.find(({ id }) => id === range[2]?.[2])!;
  };
  return {
    async tagOn(primary) {
      for (;;) {
        const tag = newTag();
        if ((await ownerOf(await slotOf(tag))) === primaries[primary]) return tag;
      }
    },
    async primaryOf(tag) {
      return primaries.indexOf(await ownerOf(await slotOf(tag)));
    },
    async move(tag, to, meanwhile = () => Promise.resolve()) {
      const slot = await slotOf(tag);
      const [source, target] = [await ownerOf(slot), primaries[to]!];
      await target.client.cluster('SETSLOT', slot, 'IMPORTING', source.id);
      await source.client.cluster('SETSLOT', slot, 'MIGRATING', target.id);
      await meanwhile();
      const keys = await source.client.cluster('GETKEYSINSLOT', slot, 1_000);
      if (keys.length > 0) {
        await source.client.call('MIGRATE', '127.0.0.1', target.port, '', 0, 5_000, 'KEYS', ...keys);
      }
      await meanwhile();
      for (const { client } of [target, source]) await client.cluster('SETSLOT', slot, 'NODE', target.id);
      // Gossip would take a while. A replica learns it from its primary alone.
      const updates = primaries.map(({ client }) => client.cluster('SETSLOT', slot, 'NODE', target.id));
      await Promise.allSettled(updates);
    },
    async agreed() {
      const views = async () => new Set(await Promise.all(primaries.map(({ client }) => ownersIn(client))));
      while ((await views()).size > 1) await delay(20);
    },
    onEach: (name, ...args) => Promise.all(primaries.map(({ client }) => client.call(name, ...args))),
    close() {
      for (const { client } of primaries) client.disconnect();
    },
  };
}

/** Ranges of slots in order, with the id of the primary of each. */
async function ownersIn(client: Redis): Promise<string> {
  const ranges = await client.cluster('SLOTS');
  return ranges
    .toSorted(([one], [other]) => one - other)
    .map(([first, last, primary]) => `${first}-${last} ${primary?.[2]}`)
    .join('\n');
}
