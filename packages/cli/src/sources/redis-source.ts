// sources/ opens what a command reads: Redis (redis-source.ts), and configurations of programs (config-file.ts).
// Addresses and paths enter, and stores and limiters leave. It imports failure.
import { limitersOf, type LimiterView, type Store } from '@sluice/core';
import { databaseCheckOf, redisStore, wrongTransport, type RedisOptions, type RedisStore } from '@sluice/redis';
import { wireOf } from '@sluice/metrics/operations';
import { Cluster, Redis } from 'ioredis';
import { unreachable, usage } from '../failure/failure.js';
import { loadConfig } from './config-file.js';
import { parseAddress, URL_VARIABLE } from './redis-address.js';

/** The Redis of the limiters. */
export interface RedisSource {
  readonly client: Redis | Cluster;
  /** The store of the configuration. Undefined if only SLUICE_REDIS_URL is known. */
  readonly store: Store | undefined;
  /** Of the configuration. */
  readonly limiters: readonly LimiterView[];
  /** Milliseconds that requests wait for Redis: of the store of the configuration, else the default. */
  readonly deadline: number;
  /** The store of the configuration, else one with the settings of a limiter. It closes with the source. */
  openStore(): Store;
  /** One server, or each primary of a Cluster. */
  primaries(): readonly Redis[];
  close(): Promise<void>;
}

const DEFAULT_DEADLINE_MS = 50;

interface SourceOptions {
  /** Of `--config`. */
  readonly config?: string | undefined;
  /** In milliseconds. */
  readonly timeout: number;
}

/**
 * Connects to the Redis of the configuration, or of SLUICE_REDIS_URL.
 *
 * @throws Failure if neither is there, or if Redis does not answer within the timeout
 */
export async function openRedis({ config, timeout }: SourceOptions): Promise<RedisSource> {
  const loaded = await loadConfig(config, timeout);
  if (loaded) return sourceOfStore(loaded.store, timeout);
  const address = process.env[URL_VARIABLE];
  if (!address) throw usage(`set ${URL_VARIABLE}, or write a sluice.config.js that exports the store`);
  return sourceOfAddress(parseAddress(address), timeout);
}

async function sourceOfStore(store: Store, timeout: number): Promise<RedisSource> {
  const wire = wireOf(store);
  if (wire === undefined) throw usage('the configuration has a store in memory: only its process can read it');
  const client = wire.client as Redis | Cluster;
  if (typeof client.disconnect !== 'function' || typeof client.info !== 'function') {
    throw usage('the store of the configuration must have a client of ioredis, such as redisStore({ url })');
  }
  // At once, because a limiter that the module does not export is collected.
  const limiters = limitersOf(store);
  const close = async () => {
    await store.close();
    client.disconnect();
  };
  try {
    await ready(client, timeout);
  } catch (error) {
    // Its client would connect for ever.
    await close();
    throw error;
  }
  return {
    client,
    store,
    limiters,
    deadline: wire.deadline,
    openStore: () => store,
    primaries: () => primariesOf(client),
    close,
  };
}

async function sourceOfAddress(address: RedisOptions, timeout: number): Promise<RedisSource> {
  const client = await connect(address, timeout);
  const [{ url = '' }, isNode] = [address, client.isCluster];
  const stores: RedisStore[] = [];
  return {
    client,
    store: undefined,
    limiters: [],
    deadline: DEFAULT_DEADLINE_MS,
    openStore() {
      const store = redisStore(isNode && url ? { cluster: [url] } : address);
      stores.push(store);
      return store;
    },
    primaries: () => primariesOf(client),
    async close() {
      await Promise.all(stores.map((store) => store.close()));
      client.disconnect();
    },
  };
}

function primariesOf(client: Redis | Cluster): readonly Redis[] {
  return client.isCluster ? (client as Cluster).nodes('master') : [client as Redis];
}

async function connect(address: RedisOptions, timeout: number): Promise<Redis | Cluster> {
  const { url, cluster, sentinels, name, connection } = address;
  const settings = {
    ...connection,
    connectionName: 'sluice',
    connectTimeout: timeout,
    commandTimeout: timeout,
    // A client whose server is away keeps the process alive for this time.
    disconnectTimeout: 50,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
    sentinelRetryStrategy: () => null,
    lazyConnect: true,
  };
  if (cluster) return openCluster(cluster as string[], settings, timeout);
  const client =
    url === undefined ? new Redis({ ...settings, sentinels: [...sentinels!], name: name! }) : new Redis(url, settings);
  await ready(client, timeout);
  const info = await infoOf(client);
  if (/^redis_mode:sentinel/m.test(info)) {
    client.disconnect();
    throw usage(`${URL_VARIABLE} names a Sentinel: write redis-sentinel://host:port/0#group`);
  }
  if (!/^cluster_enabled:1/m.test(info)) return client;
  client.disconnect();
  return openCluster([url!], settings, timeout);
}

async function openCluster(urls: readonly string[], settings: object, timeout: number): Promise<Cluster> {
  const [first] = urls;
  const { username, password, protocol } = new URL(first!);
  const redisOptions = {
    ...settings,
    lazyConnect: false,
    ...(username && { username: decodeURIComponent(username) }),
    ...(password && { password: decodeURIComponent(password) }),
    ...(protocol === 'rediss:' && { tls: {} }),
  };
  const client = new Cluster([...urls], {
    lazyConnect: true,
    // A Cluster with lost slots still answers for the others.
    enableReadyCheck: false,
    clusterRetryStrategy: () => null,
    redisOptions,
  });
  await ready(client, timeout);
  return client;
}

/** A user without the right may still ask other things. */
async function infoOf(client: Redis): Promise<string> {
  return client.info().catch(() => '');
}

/** Waits for a connection. @throws Failure with what the server or the socket said */
export async function ready(client: Redis | Cluster, timeout: number): Promise<void> {
  let problem: Error | undefined;
  client.on('error', (error: Error & { lastNodeError?: Error }) => (problem = error.lastNodeError ?? error));
  let mistake: string | undefined;
  client.on('sentinelError', ({ message }: Error) => {
    if (/invalid reply: null$|No such master/.test(message))
      mistake = `no Sentinel watches the group ${groupOf(client)}`;
  });
  const isReady = await new Promise<boolean>((resolve) => {
    const timer = setTimeout(() => resolve(false), timeout);
    const settle = (value: boolean) => (clearTimeout(timer), resolve(value));
    if (client.status === 'ready') return settle(true);
    client.once('ready', () => settle(true));
    client.once('end', () => settle(false));
    // The errors of ioredis say nothing of this cause, and come late.
    const examine = async () => {
      if (client.status !== 'ready') mistake ??= await transportMistake(client);
      if (mistake !== undefined) settle(false);
    };
    setTimeout(() => void examine(), EARLY_MS).unref();
    // The client of a store connects automatically.
    if (client.status === 'wait') client.connect().catch((error: Error) => (problem ??= error));
  });
  if (isReady) {
    const wrong = await databaseCheckOf(client)?.();
    if (wrong === undefined) return;
    client.disconnect();
    throw unreachable(`Redis cannot be reached: ${wrong.message}`);
  }
  mistake ??= await transportMistake(client);
  client.disconnect();
  throw unreachable(`Redis cannot be reached: ${mistake ?? problem?.message ?? `no answer within ${timeout} ms`}`);
}

/** Milliseconds after which a connection that is not ready is examined. */
const EARLY_MS = 1_000;

/** TLS to a port without it, or the reverse. */
function transportMistake(client: Redis | Cluster): Promise<string | undefined> {
  const { host, port, tls, path, sentinels } = client.options as Redis['options'];
  if (client.isCluster || path || sentinels || !host || !port) return Promise.resolve(undefined);
  return wrongTransport({ host, port, isTls: tls !== undefined });
}

function groupOf(client: Redis | Cluster): string {
  return String((client.options as Redis['options']).name);
}
