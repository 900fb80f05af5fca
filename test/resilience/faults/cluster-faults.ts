import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { slotsOf } from '../../redis/cluster/slots.js';
import { startCluster } from '../../support/cluster.js';
import type { RedisServer } from '../../support/redis.js';
import type { Fault, Scene } from './fault.js';
import { promotionOf, type Promotion } from './promotion.js';
import { gatherTraffic } from './shard.js';

/** Faults of the shard with all the traffic, in a Cluster of three primaries and three replicas. */
export const clusterFaults: readonly Fault[] = [
  {
    name: 'Cluster: primary killed',
    lasts: 0,
    expects: { forgets: true },
    set: () => failoverScene('SIGKILL'),
  },
  {
    name: 'Cluster: primary stopped (SIGSTOP)',
    lasts: 0,
    expects: { breaker: 'opens', forgets: true },
    set: () => failoverScene('SIGSTOP'),
  },
  {
    name: 'Cluster: shard down',
    expects: { forgets: true },
    set: shardScene,
  },
];

/** The Cluster heals itself. Recovery counts from the promotion. */
async function failoverScene(signal: NodeJS.Signals): Promise<Scene> {
  const { cluster, primary, replica } = await startGathered();
  let promotion: Promise<Promotion> | undefined;
  return {
    connection: { cluster: cluster.startupNodes },
    strike() {
      promotion = promotionOf([replica]).then(({ server }) => served(server));
      primary.process.kill(signal);
    },
    heal: () => undefined,
    pong: async () => (await promotion!).at,
    ports: () => [replica.port],
    stop: () => cluster.stop(),
  };
}

async function shardScene(): Promise<Scene> {
  const { cluster, primary, replica } = await startGathered();
  return {
    connection: { cluster: cluster.startupNodes },
    strike() {
      for (const { process } of [primary, replica]) process.kill('SIGKILL');
    },
    heal: async () => void (await Promise.all([primary, replica].map((server) => server.restart()))),
    pong: async () => (await served(primary)).at,
    ports: () => [primary.port],
    stop: () => cluster.stop(),
  };
}

async function startGathered() {
  const cluster = await startCluster({ replicas: 1, args: ['--cluster-node-timeout', '1000'] });
  const slots = await slotsOf(cluster);
  await gatherTraffic(slots, 1);
  slots.close();
  return { cluster, primary: cluster.nodes[1]!, replica: cluster.nodes[4]! };
}

/** Resolves when a node reports that the Cluster works. Before that, it refuses every command. */
async function served(server: RedisServer): Promise<Promotion> {
  const client = new Redis(server.port, { retryStrategy: () => 10 }).on('error', () => undefined);
  while (!(await client.cluster('INFO')).includes('cluster_state:ok')) await delay(5);
  const at = performance.now();
  client.disconnect();
  return { server, at };
}
