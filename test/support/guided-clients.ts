import { clientOf, type RedisClient, type RedisOptions } from '../../packages/redis/src/index.js';
import { GlideClient } from '@valkey/valkey-glide';
import { Cluster, Redis } from 'ioredis';
import { Cluster as ValkeyCluster, Redis as Valkey } from 'iovalkey';
import { createClient } from 'redis';

/** A client of the application, with the settings of docs/guide/redis-clients.md. */
export type GuidedClient = RedisClient & { disconnect(): void };

const NODE = { maxRetriesPerRequest: 0, socketTimeout: 2_000, connectTimeout: 1_000, commandTimeout: 1_000 };

const SERVER = {
  ...NODE,
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
  maxLoadingRetryTime: 1_000,
  retryStrategy: (attempt: number) => Math.min(50 * 2 ** (attempt - 1), 1_000) + Math.random() * 200,
  reconnectOnError: ({ message }: Error) => (/^(READONLY|MASTERDOWN)/.test(message) ? (1 as const) : false),
  lazyConnect: true,
};

const CLUSTER = {
  enableOfflineQueue: false,
  retryDelayOnFailover: 0,
  retryDelayOnClusterDown: 0,
  retryDelayOnTryAgain: 5,
  maxRedirections: 8,
  enableReadyCheck: false,
  slotsRefreshInterval: 5_000,
  clusterRetryStrategy: (attempt: number) => Math.min(100 * attempt, 1_000) + Math.random() * 100,
  redisOptions: NODE,
  lazyConnect: true,
};

/** The names of clients, as `--client` takes them. */
export const guidedClients: Readonly<Record<string, (connection: RedisOptions) => GuidedClient>> = {
  ioredis: guidedBy(Redis, Cluster),
  iovalkey: guidedBy(Valkey as never, ValkeyCluster as never),
  'node-redis': ({ url }) => nodeRedis(url!),
};

/** @throws Error for another name */
export function guidedClient(name: string): (connection: RedisOptions) => GuidedClient {
  const client = guidedClients[name];
  if (client) return client;
  throw new Error(`--client is one of ${Object.keys(guidedClients).join(', ')}, got ${name}`);
}

function guidedBy(Server: typeof Redis, Nodes: typeof Cluster): (connection: RedisOptions) => GuidedClient {
  return ({ url, sentinels, name, cluster }) => {
    if (cluster) return quiet(new Nodes([...cluster], CLUSTER));
    if (url !== undefined) return quiet(new Server(url, SERVER));
    return quiet(new Server({ ...SERVER, sentinels: [...sentinels!], name: name!, failoverDetector: true }));
  };
}

/** One server alone. */
function nodeRedis(url: string): GuidedClient {
  const client = createClient({
    url,
    disableOfflineQueue: true,
    socket: {
      connectTimeout: 1_000,
      socketTimeout: 2_000,
      reconnectStrategy: (retries) => Math.min(50 * 2 ** retries, 1_000),
    },
    pingInterval: 1_000,
  });
  quiet(client);
  client.connect().catch(ignore);
  const sender = clientOf({
    send: (command) => client.sendCommand([...command]),
    isReady: () => client.isReady,
    on: (event, listener) => {
      for (const each of event === 'ready' ? ['ready'] : ['reconnecting', 'end']) client.on(each, listener);
    },
    async resetConnection() {
      client.destroy();
      await client.connect();
    },
  });
  return Object.assign(sender, { disconnect: () => client.destroy() });
}

/** One server alone. */
export async function guidedGlide({ url }: RedisOptions): Promise<GuidedClient> {
  const { hostname: host, port } = new URL(url!);
  const open = () => GlideClient.createClient({ addresses: [{ host, port: Number(port) }], requestTimeout: 1_000 });
  let glide = await open();
  const sender = clientOf({
    send: async (command) => glide.customCommand([...command]),
    async resetConnection() {
      const silent = glide;
      glide = await open();
      silent.close();
    },
  });
  return Object.assign(sender, { disconnect: () => glide.close() });
}

/** Without a listener a client prints errors, or ends the process. */
function quiet<T extends { on(event: string, listener: () => void): unknown }>(client: T): T {
  client.on('error', ignore);
  return client;
}

function ignore(): void {}
