import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { onFreePort } from './free-port.js';
import { startRedis, type RedisServer } from './redis.js';

export interface ClusterOptions {
  /** @default 3 */
  primaries?: number;
  /**
   * Replicas of each primary.
   *
   * @default 0
   */
  replicas?: number;
  /** More arguments for every redis-server. */
  args?: readonly string[];
}

export interface RedisCluster {
  /** The primaries in the order of their slots, then the first replica of each, then the second of each. */
  readonly nodes: readonly RedisServer[];
  /** What the ioredis Cluster takes. */
  readonly startupNodes: { host: string; port: number }[];
  stop(): Promise<void>;
}

interface Node {
  server: RedisServer;
  busPort: number;
  client: Redis;
}

const slots = 16_384;

/** Starts a real Redis Cluster, and resolves when every node of it says that it is complete. */
export async function startCluster(options: ClusterOptions = {}): Promise<RedisCluster> {
  const { primaries = 3, replicas = 0, args = [] } = options;
  const nodes = await Promise.all(Array.from({ length: primaries * (1 + replicas) }, () => startNode(args)));
  const servers = nodes.map((node) => node.server);
  const stop = async () => void (await Promise.all(servers.map((server) => server.stop())));
  try {
    await join(nodes, primaries);
    await replicate(nodes, primaries);
  } catch (error) {
    await stop();
    throw error;
  } finally {
    for (const { client } of nodes) client.disconnect();
  }
  return { nodes: servers, startupNodes: servers.map(({ port }) => ({ host: '127.0.0.1', port })), stop };
}

function startNode(args: readonly string[]): Promise<Node> {
  return onFreePort(async (busPort) => {
    const cluster = ['--cluster-enabled', 'yes', '--cluster-node-timeout', '2000', '--cluster-port', String(busPort)];
    const server = await startRedis({ args: [...cluster, '--repl-diskless-sync-delay', '0', ...args] });
    return { server, busPort, client: new Redis(server.port) };
  });
}

/** What `redis-cli --cluster create` does; a machine that has a server need not have the client. */
async function join(nodes: readonly Node[], primaries: number): Promise<void> {
  const share = Math.ceil(slots / primaries);
  for (const [index, { client }] of nodes.entries()) {
    await client.cluster('SET-CONFIG-EPOCH', index + 1);
    const first = index * share;
    if (index < primaries) await client.cluster('ADDSLOTSRANGE', first, Math.min(first + share, slots) - 1);
    for (const { server, busPort } of nodes.slice(0, index)) {
      await client.cluster('MEET', '127.0.0.1', server.port, busPort);
    }
  }
  await everyNode(nodes, async ({ client }) => {
    const info = await client.cluster('INFO');
    return info.includes('cluster_state:ok') && info.includes(`cluster_known_nodes:${nodes.length}\r`);
  });
}

async function replicate(nodes: readonly Node[], primaries: number): Promise<void> {
  const replicas = nodes.slice(primaries);
  for (const [index, { client }] of replicas.entries()) {
    const primary = nodes[index % primaries];
    if (primary) await client.cluster('REPLICATE', await primary.client.cluster('MYID'));
  }
  await everyNode(replicas, async ({ client }) => (await client.info('replication')).includes('master_link_status:up'));
  await everyNode(nodes, async ({ client }) => {
    const lines = String(await client.cluster('NODES')).split('\n');
    return lines.filter((line) => line.includes('slave')).length === replicas.length;
  });
}

async function everyNode(nodes: readonly Node[], holds: (node: Node) => Promise<boolean>): Promise<void> {
  for (const node of nodes) {
    while (!(await holds(node))) await delay(20);
  }
}
