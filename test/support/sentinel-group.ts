import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { startRedis, type RedisServer } from './redis.js';
import { startSentinel, type Sentinel } from './sentinel.js';

export interface SentinelGroup {
  /** The options of a client: the addresses of the Sentinels, and the name of their group. */
  readonly group: Sentinel['group'];
  readonly sentinels: readonly Sentinel[];
  /** The server that is the primary at first, then its replicas. */
  readonly servers: readonly RedisServer[];
  /** The server that the first Sentinel names as the primary. */
  primary(): Promise<RedisServer>;
  /** Promotes a replica while the primary is healthy, as an operator does. */
  failover(): Promise<void>;
  /** Changes a setting of all Sentinels for the group. */
  set(setting: string, value: number): Promise<void>;
  stop(): Promise<void>;
}

// With shorter times, servers on a busy machine would count as dead.
const settings = { 'down-after-milliseconds': 1_000, 'failover-timeout': 4_000 };
// After a diskless sync a replica gets no writes for up to a second.
const inSync = ['--repl-diskless-sync', 'no'];

/** Starts a primary, two replicas and three Sentinels with a quorum of two, and resolves when all know each other. */
export async function startSentinelGroup(): Promise<SentinelGroup> {
  const primary = await startRedis({ args: inSync });
  const follow = ['--replicaof', '127.0.0.1', String(primary.port), ...inSync];
  const replicas = await Promise.all([1, 2].map(() => startRedis({ args: follow })));
  const servers = [primary, ...replicas];
  // A Sentinel looks for replicas at its start, and then every ten seconds.
  await untilEach([primary], async (client) => /connected_slaves:2\r/.test(await client.info('replication')));
  const sentinels = await Promise.all([1, 2, 3].map(() => startSentinel(primary, { quorum: 2, settings })));
  await introduce(sentinels);
  const { name } = sentinels[0]!.group;
  return {
    group: { sentinels: sentinels.map(({ host, port }) => ({ host, port })), name },
    sentinels,
    servers,
    async primary() {
      const where = await tell(sentinels[0]!, 'GET-MASTER-ADDR-BY-NAME', name);
      return servers.find(({ port }) => port === Number((where as string[])[1]))!;
    },
    async failover() {
      await tell(sentinels[0]!, 'FAILOVER', name);
    },
    async set(setting, value) {
      await Promise.all(sentinels.map((sentinel) => tell(sentinel, 'SET', name, setting, String(value))));
    },
    async stop() {
      await Promise.all([...sentinels, ...servers].map((each) => each.stop()));
    },
  };
}

async function tell({ port }: Sentinel, ...words: string[]): Promise<unknown> {
  const client = new Redis(port);
  const answer = await client.call('SENTINEL', words);
  client.disconnect();
  return answer;
}

/** Sentinels find each other by messages on the primary, every two seconds by default. */
async function introduce(sentinels: readonly Sentinel[]): Promise<void> {
  const every = (milliseconds: number) => (client: Redis) =>
    client.call('SENTINEL', 'DEBUG', 'PUBLISH-PERIOD', String(milliseconds)).then(() => true);
  const { name } = sentinels[0]!.group;
  await untilEach(sentinels, every(50));
  await untilEach(sentinels, async (client) => {
    const known = (await client.call('SENTINEL', 'MASTER', name)) as string[];
    const valueOf = (field: string) => Number(known[known.indexOf(field) + 1]);
    return valueOf('num-other-sentinels') === sentinels.length - 1 && valueOf('num-slaves') === 2;
  });
  await untilEach(sentinels, every(2_000));
}

/** Polls each server until a condition holds. */
async function untilEach(
  servers: readonly { readonly port: number }[],
  holds: (client: Redis) => Promise<boolean>,
): Promise<void> {
  for (const { port } of servers) {
    const client = new Redis(port);
    while (!(await holds(client))) await delay(20);
    client.disconnect();
  }
}
