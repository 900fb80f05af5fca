import { once } from 'node:events';
import { StoreError } from '../../model/errors.js';
import type { RedisClient } from './redis-client.js';
import { withoutCommand } from './redis-error.js';
import { checkOptions, type RedisOptions } from './redis-options.js';

/** A client that is the store's own to end. */
export interface OwnedClient extends RedisClient {
  end(): Promise<void>;
}

/** What the clients of ioredis have in common. */
interface Connection extends RedisClient {
  readonly status: string;
  connect(): Promise<unknown>;
  disconnect(): void;
  on(event: string, listener: (...details: unknown[]) => void): this;
  once(event: string, listener: (...details: unknown[]) => void): this;
}

// Nothing waits in a queue to be counted later, nothing is sent twice, and a peer that has gone silent is found out.
const CONNECTION = {
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
  connectTimeout: 1_000,
  commandTimeout: 1_000,
  sentinelCommandTimeout: 1_000,
  socketTimeout: 2_000,
  // A store that is closed while its server is away keeps the process up for as long.
  disconnectTimeout: 250,
  keepAlive: 10_000,
  maxLoadingRetryTime: 1_000,
  noDelay: true,
  enableReadyCheck: true,
  lazyConnect: true,
  retryStrategy: (attempt: number) => Math.min(50 * 2 ** (attempt - 1), 2_000) + Math.random() * 200,
  // A demoted primary: connect anew, and do not send again what it refused.
  reconnectOnError: (error: Error) => (error.message.startsWith('READONLY') ? 1 : false),
};

const CLUSTER = {
  enableOfflineQueue: false,
  lazyConnect: true,
  slotsRefreshInterval: 10_000,
  clusterRetryStrategy: (attempt: number) => Math.min(100 * attempt, 2_000) + Math.random() * 100,
  maxRedirections: 4,
};

/**
 * Makes a client with the settings that a limiter needs. It connects at once, and calls wait for what the first attempt
 * comes to.
 */
export function connect(options: RedisOptions): OwnedClient {
  checkOptions(options, Object.keys(CONNECTION));
  let current: Connection | undefined;
  let trouble: Error | undefined;
  let ended = false;
  const opened = open(options);
  const attempted = opened.then(async (client) => {
    current = client;
    // ioredis prints errors that nobody listens to, and tells a call that cannot be sent nothing of the reason.
    client.on('error', (error) => (trouble = error as Error));
    client.on('ready', () => (trouble = undefined));
    if (!ended) await firstAttempt(client);
    return client;
  });
  attempted.catch(() => undefined);
  async function send(call: (client: Connection) => Promise<unknown>): Promise<unknown> {
    const client = current?.status === 'ready' ? current : await attempted;
    if (trouble && client.status !== 'ready') {
      const cause = withoutCommand(trouble);
      throw new StoreError('STORE_UNAVAILABLE', `Redis cannot be reached: ${cause.message}`, { cause });
    }
    return call(client);
  }
  return {
    isCluster: options.cluster !== undefined,
    evalsha: (...call) => send((client) => client.evalsha(...call)),
    eval: (...call) => send((client) => client.eval(...call)),
    async end() {
      if (ended) return;
      ended = true;
      // Where ioredis is missing there is nothing to end.
      const client = await opened.catch(() => undefined);
      if (client?.status !== 'ready') return client?.disconnect();
      const closed = once(client as unknown as NodeJS.EventEmitter, 'end');
      client.disconnect();
      await closed;
    },
  };
}

/** Never longer than a second: a server that loads its data, or is silent, is not waited for. */
function firstAttempt(client: Connection): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, CONNECTION.connectTimeout);
    function done(): void {
      clearTimeout(timer);
      resolve();
    }
    // A Cluster whose nodes answer but that is down says so by this event alone.
    client.once('close', done);
    client.connect().then(done, done);
  });
}

async function open({ url, sentinels, name, cluster, connection }: RedisOptions): Promise<Connection> {
  const { Redis, Cluster } = await load();
  const settings = { connectionName: 'ratelimit', ...connection, ...CONNECTION };
  if (url !== undefined) return new Redis(url, settings);
  if (sentinels) return new Redis({ ...settings, sentinels, name });
  // A Cluster connects and retries by settings of its own.
  const { lazyConnect: _lazy, retryStrategy: _retry, ...redisOptions } = settings;
  return new Cluster(cluster, { ...CLUSTER, redisOptions });
}

/** ioredis, as far as it is used here: its own types differ between versions 5 and 6. */
interface Ioredis {
  Redis: new (...options: unknown[]) => Connection;
  Cluster: new (...options: unknown[]) => Connection;
}

async function load(): Promise<Ioredis> {
  try {
    return (await import('ioredis')) as unknown as Ioredis;
  } catch (cause) {
    throw new StoreError('STORE_UNAVAILABLE', 'redisStore needs ioredis to connect: npm install ioredis', { cause });
  }
}
