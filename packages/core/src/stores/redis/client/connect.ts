import { StoreError } from '../../../model/errors.js';
import { ManagedClient, type IoredisClient } from './managed-client.js';
import { checkOptions, type RedisOptions } from './redis-options.js';

// Nothing waits in a queue to be counted later, and nothing is sent twice.
const CONNECTION = {
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
  connectTimeout: 1_000,
  commandTimeout: 1_000,
  sentinelCommandTimeout: 1_000,
  // A peer that has gone silent is found out by the primary, with no timer for each call.
  socketTimeout: undefined,
  // A store that is closed while its server is away keeps the process up for as long.
  disconnectTimeout: 250,
  keepAlive: 10_000,
  maxLoadingRetryTime: 1_000,
  noDelay: true,
  enableReadyCheck: true,
  lazyConnect: true,
  retryStrategy: (attempt: number) => Math.min(50 * 2 ** (attempt - 1), 1_000) + Math.random() * 200,
  sentinelRetryStrategy: (attempt: number) => Math.min(50 * 2 ** (attempt - 1), 500) + Math.random() * 100,
  // A demoted primary: connect anew, and do not send again what it refused.
  reconnectOnError: (error: Error) => (error.message.startsWith('READONLY') ? 1 : false),
};

const SENTINEL = {
  // A primary that was replaced may be frozen, or well and not know it yet: what it counts is lost. Sentinels tell.
  failoverDetector: true,
  sentinelReconnectStrategy: () => 5_000 + Math.random() * 1_000,
};

const CLUSTER = {
  enableOfflineQueue: false,
  lazyConnect: true,
  // Its check asks any node, one that has not connected yet as well, and begins anew when that fails.
  enableReadyCheck: false,
  slotsRefreshInterval: 5_000,
  clusterRetryStrategy: (attempt: number) => Math.min(100 * attempt, 1_000) + Math.random() * 100,
  maxRedirections: 8,
  // Sent again later is counted for a request that has had its answer, or twice. Keys that are being moved are whole in
  // a moment.
  retryDelayOnFailover: 0,
  retryDelayOnClusterDown: 0,
  retryDelayOnTryAgain: 5,
};

/** Options of a Cluster itself, behind a NAT or with certificates that name hosts. */
const LOCATING: ReadonlySet<string> = new Set(['natMap', 'dnsLookup', 'useSRVRecords', 'resolveSrv']);

/**
 * Makes a client with the settings that a limiter needs, which connects at once.
 *
 * @throws ConfigError
 */
export function connect(options: RedisOptions): ManagedClient {
  checkOptions(options, Object.keys({ ...CONNECTION, ...SENTINEL }));
  return new ManagedClient(() => open(options), options.cluster !== undefined);
}

async function open({ url, sentinels, name, cluster, connection }: RedisOptions): Promise<IoredisClient> {
  const { Redis, Cluster, SentinelConnector } = await load();
  const settings = { connectionName: 'ratelimit', ...connection, ...CONNECTION };
  // What comes first wins, and a URL may have settings in it.
  if (url !== undefined) return new Redis(CONNECTION, url, settings);
  if (sentinels) return new Redis({ ...settings, ...SENTINEL, sentinels, name, Connector: quiet(SentinelConnector) });
  // A Cluster retries by settings of its own, and a node that waits to be asked would keep the first who asks waiting.
  const { retryStrategy: _retry, ...node } = settings;
  // Where its nodes are is for a Cluster to know, and not for them.
  const where = Object.fromEntries(Object.entries(node).filter(([option]) => LOCATING.has(option)));
  return new Cluster(cluster, { ...CLUSTER, ...where, redisOptions: { ...node, lazyConnect: false } });
}

/** Listens for failovers, prints nothing about Sentinels that are gone, and does not listen on when it is to end. */
function quiet(SentinelConnector: Ioredis['SentinelConnector']): Ioredis['SentinelConnector'] {
  return class extends SentinelConnector {
    override connectToSentinel(where: object, settings?: object): ReturnType<SentinelListener['connectToSentinel']> {
      const { disconnectTimeout } = CONNECTION;
      const client = super.connectToSentinel(where, { ...settings, disconnectTimeout });
      client.on('error', () => undefined);
      return client;
    }

    override async initFailoverDetector(): Promise<void> {
      if (this.connecting) await super.initFailoverDetector();
    }
  };
}

/** ioredis, as far as it is used here: its own types differ between versions 5 and 6. */
interface Ioredis {
  Redis: new (...options: unknown[]) => IoredisClient;
  Cluster: new (...options: unknown[]) => IoredisClient;
  SentinelConnector: new (...options: unknown[]) => SentinelListener;
}

interface SentinelListener {
  readonly connecting: boolean;
  connectToSentinel(where: object, settings?: object): { on(event: string, listener: () => void): unknown };
  initFailoverDetector(): Promise<void>;
}

async function load(): Promise<Ioredis> {
  try {
    return (await import('ioredis')) as unknown as Ioredis;
  } catch (cause) {
    throw new StoreError('STORE_UNAVAILABLE', 'redisStore needs ioredis to connect: npm install ioredis', { cause });
  }
}
