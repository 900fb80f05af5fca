import { clientOf, type RedisClient } from '@sluice/core';
import { GlideClient } from '@valkey/valkey-glide';
import { Redis } from 'ioredis';
import { Redis as Valkey } from 'iovalkey';
import { createClient } from 'redis';

/** A client of the application, with the settings of docs/guide/redis-clients.md. */
export interface GuidedClient {
  readonly client: RedisClient;
  end(): void;
}

const IOREDIS = {
  maxRetriesPerRequest: 0,
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
  socketTimeout: 2_000,
  connectTimeout: 1_000,
  commandTimeout: 1_000,
  maxLoadingRetryTime: 1_000,
  retryStrategy: (attempt: number) => Math.min(50 * 2 ** (attempt - 1), 1_000) + Math.random() * 200,
  reconnectOnError: ({ message }: Error) => (message.startsWith('READONLY') ? (1 as const) : false),
  lazyConnect: true,
};

const ignore = () => undefined;

export function guidedIoredis(url: string): GuidedClient {
  const client = new Redis(url, IOREDIS);
  client.on('error', ignore);
  return { client, end: () => client.disconnect() };
}

export function guidedIovalkey(url: string): GuidedClient {
  const client = new Valkey(url, IOREDIS);
  client.on('error', ignore);
  return { client, end: () => client.disconnect() };
}

export function guidedNodeRedis(url: string): GuidedClient {
  const client = createClient({
    url,
    disableOfflineQueue: true,
    socket: { connectTimeout: 1_000, reconnectStrategy: (retries) => Math.min(50 * 2 ** retries, 1_000) },
  });
  client.on('error', ignore);
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
  return { client: sender, end: () => client.destroy() };
}

export async function guidedGlide(url: string): Promise<GuidedClient> {
  const { hostname: host, port } = new URL(url);
  const open = () => GlideClient.createClient({ addresses: [{ host, port: Number(port) }], requestTimeout: 1_000 });
  let glide = await open();
  const client = clientOf({
    send: async (command) => glide.customCommand([...command]),
    async resetConnection() {
      const silent = glide;
      glide = await open();
      silent.close();
    },
  });
  return { client, end: () => glide.close() };
}
