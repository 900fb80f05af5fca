import { setTimeout as delay } from 'node:timers/promises';
import { Cluster, Redis } from 'ioredis';
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
  /** Starts a node that holds no slots, and resolves when every node knows it. */
  add(): Promise<RedisServer>;
  /** Resolves when every node sees all of them, each replica is in step, and all slots are served. */
  healthy(): Promise<void>;
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
  const startupNodes = servers.map(({ port }) => ({ host: '127.0.0.1', port }));
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
  return {
    nodes: servers,
    startupNodes,
    async add() {
      const { server, busPort, client } = await startNode(args);
      servers.push(server);
      client.disconnect();
      await ask(servers[0]!, (first) => first.cluster('MEET', '127.0.0.1', server.port, busPort));
      await everyServer(servers, knowsAll(servers.length));
      return server;
    },
    async healthy() {
      await everyServer(servers, isInStep);
      await everyServer(servers, knowsAll(servers.length));
    },
    stop,
  };
}

function startNode(args: readonly string[]): Promise<Node> {
  return onFreePort(async (busPort) => {
    // After a diskless sync a replica gets no writes for up to a second.
    const cluster = ['--cluster-enabled', 'yes', '--cluster-node-timeout', '2000', '--cluster-port', String(busPort)];
    // After a diskless sync a replica gets no writes for up to a second.
    const server = await startRedis({ args: [...cluster, '--repl-diskless-sync', 'no', ...args] });
    return { server, busPort, client: new Redis(server.port) };
  });
}

/** Does what `redis-cli --cluster create` does, because a machine can have the server without the client. */
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
  await everyServer(serversOf(nodes), knowsAll(nodes.length));
}

async function replicate(nodes: readonly Node[], primaries: number): Promise<void> {
  const replicas = nodes.slice(primaries);
  for (const [index, { client }] of replicas.entries()) {
    const primary = nodes[index % primaries];
    if (primary) await client.cluster('REPLICATE', await primary.client.cluster('MYID'));
  }
  await everyServer(serversOf(replicas), isInStep);
  await everyServer(serversOf(nodes), async (client) => {
    const lines = String(await client.cluster('NODES')).split('\n');
    return lines.filter((line) => line.includes('slave')).length === replicas.length;
  });
}

const serversOf = (nodes: readonly Node[]) => nodes.map(({ server }) => server);

/** True when a node serves all slots, and considers no other node dead. */
function knowsAll(count: number): (client: Redis) => Promise<boolean> {
  return async (client) => {
    const info = await client.cluster('INFO');
    const lines = String(await client.cluster('NODES'))
      .trim()
      .split('\n');
    const isWell = (line: string) => !/fail|handshake|noaddr|disconnected/.test(line);
    return info.includes('cluster_state:ok') && lines.length === count && lines.every(isWell);
  };
}

async function isInStep(client: Redis): Promise<boolean> {
  return /role:master|master_link_status:up/.test(await client.info('replication'));
}

/** Polls each server until a condition holds. */
async function everyServer(servers: readonly RedisServer[], holds: (client: Redis) => Promise<boolean>): Promise<void> {
  for (const server of servers) {
    await ask(server, async (client) => {
      while (!(await holds(client))) await delay(20);
    });
  }
}

async function ask({ port }: RedisServer, act: (client: Redis) => Promise<unknown>): Promise<void> {
  const client = new Redis(port);
  await act(client);
  client.disconnect();
}

/** A Cluster and a client of it. */
export interface ClusterWithClient {
  readonly cluster: RedisCluster;
  readonly client: Cluster;
}

/** Opens both while the tests of a `describe` block run. Use the members in hooks and tests alone. */
export function withCluster(): ClusterWithClient {
  const opened = {} as { -readonly [Name in keyof ClusterWithClient]: ClusterWithClient[Name] };

  beforeAll(async () => {
    opened.cluster = await startCluster();
    opened.client = new Cluster(opened.cluster.startupNodes);
  });

  afterAll(async () => {
    opened.client.disconnect();
    await opened.cluster.stop();
  });

  return opened;
}
