import { ConfigError } from '@sluice/core/internal';
import { countClient } from './live-clients.js';
import { ManagedClient, type IoredisClient } from './managed-client.js';
import { checkOptions, type RedisOptions } from './redis-options.js';
import { wrongTransport, type Transport } from './wrong-transport.js';

// No command waits in a queue and counts later, and no command is sent twice.
const CONNECTION = {
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
  connectTimeout: 1_000,
  // Ends the handshake with a silent server. Script calls have the deadline of the store.
  commandTimeout: 1_000,
  sentinelCommandTimeout: 1_000,
  // The endpoint finds a silent server without a timer for each call: docs/decisions/0023-silent-connections.md.
  socketTimeout: undefined,
  // A store that is closed while its server is away keeps the process alive for this time.
  disconnectTimeout: 250,
  keepAlive: 10_000,
  maxLoadingRetryTime: 1_000,
  noDelay: true,
  enableReadyCheck: true,
  lazyConnect: true,
  retryStrategy: (attempt: number) => Math.min(50 * 2 ** (attempt - 1), 1_000) + Math.random() * 200,
  sentinelRetryStrategy: (attempt: number) => Math.min(50 * 2 ** (attempt - 1), 500) + Math.random() * 100,
  // After a demotion of the primary: connect again, and do not resend the rejected command.
  reconnectOnError: ({ message }: Error) => (/^(READONLY|MASTERDOWN)/.test(message) ? 1 : false),
};

const SENTINEL = {
  // A replaced primary may be frozen, or may not know yet. Charges there are lost; the Sentinels know first.
  failoverDetector: true,
  sentinelReconnectStrategy: () => 5_000 + Math.random() * 1_000,
};

const CLUSTER = {
  enableOfflineQueue: false,
  lazyConnect: true,
  // The ready check asks any node, even one that still connects, and starts again when that fails.
  enableReadyCheck: false,
  slotsRefreshInterval: 5_000,
  clusterRetryStrategy: (attempt: number) => Math.min(100 * attempt, 1_000) + Math.random() * 100,
  maxRedirections: 8,
  // A resent command counts twice, or for a request that is already answered. Moving keys are complete after 5 ms.
  retryDelayOnFailover: 0,
  retryDelayOnClusterDown: 0,
  retryDelayOnTryAgain: 5,
};

/** Options of a Cluster itself, for nodes behind a NAT or certificates that name hosts. */
const CLUSTER_ONLY: ReadonlySet<string> = new Set(['natMap', 'dnsLookup', 'useSRVRecords', 'resolveSrv']);

/**
 * Opens a client with the settings that a limiter needs. It connects immediately.
 *
 * @throws ConfigError
 */
export function connect(options: RedisOptions): ManagedClient {
  checkOptions(options, Object.keys({ ...CONNECTION, ...SENTINEL }));
  const group: SentinelGroup = { name: options.name, others: undefined };
  const client = createClient(loadIoredis(), options, group);
  const transport = transportOf(options);
  const findMistake = async () => missingGroup(group) ?? (transport && (await wrongTransport(transport)));
  const { url, cluster, sentinels, name } = options;
  const onEnd = countClient(JSON.stringify([url, cluster, sentinels, name]));
  return new ManagedClient(client, cluster !== undefined, findMistake, onEnd);
}

/** How the client connects to its server, or to the first node of its Cluster. Undefined for others. */
function transportOf({ url, cluster, connection = {} }: RedisOptions): Transport | undefined {
  const [first] = url === undefined ? (cluster ?? []) : [url];
  if (first === undefined || connection['path'] !== undefined) return undefined;
  const isTls = connection['tls'] !== undefined;
  if (typeof first === 'object') return { ...first, isTls };
  const { protocol, hostname, port } = new URL(first);
  return {
    host: hostname.replace(/^\[(.+)\]$/, '$1'),
    port: Number(port || 6_379),
    isTls: isTls || protocol === 'rediss:',
  };
}

/** A Sentinel says so of a group that it does not watch. */
const NO_GROUP = /No such master/;

/** What Sentinels know of a group. */
interface SentinelGroup {
  readonly name: string | undefined;
  /** The groups that a Sentinel watches which does not know this one. */
  others: readonly string[] | undefined;
}

function missingGroup({ name, others }: SentinelGroup): string | undefined {
  if (others === undefined) return undefined;
  const known = others.length === 0 ? 'they watch none' : `they watch ${others.join(', ')}: pass one as name`;
  return `SENTINEL_GROUP the Sentinels watch no group ${name}: ${known}`;
}

function createClient(
  { Redis, Cluster, SentinelConnector }: Ioredis,
  { url, sentinels, name, cluster, connection }: RedisOptions,
  group: SentinelGroup,
): IoredisClient {
  const settings = { connectionName: 'ratelimit', ...connection, ...CONNECTION };
  // The first argument wins, because a URL may contain settings.
  if (url !== undefined) return new Redis(CONNECTION, url, settings);
  if (sentinels) {
    const Connector = quiet(SentinelConnector, group);
    return new Redis({ ...settings, ...SENTINEL, sentinels, name, Connector });
  }
  // A Cluster has retry settings of its own. Its nodes connect immediately, so that no first request waits for them.
  const { retryStrategy: _retry, ...others } = settings;
  // ioredis reads the scheme of a single server alone: the nodes of a Cluster would send the password in clear text.
  const isTls = cluster?.some((node) => typeof node === 'string' && node.startsWith('rediss:'));
  const node = { ...(isTls && { tls: {} }), ...others };
  const clusterOnly = Object.fromEntries(Object.entries(node).filter(([option]) => CLUSTER_ONLY.has(option)));
  return new Cluster(cluster, { ...CLUSTER, ...clusterOnly, redisOptions: { ...node, lazyConnect: false } });
}

/**
 * A connector that listens for failovers until the client ends, and prints nothing about missing Sentinels. It notes
 * Sentinels that do not know the group: ioredis says of them that they are unreachable.
 */
function quiet(SentinelConnector: Ioredis['SentinelConnector'], group: SentinelGroup): Ioredis['SentinelConnector'] {
  return class extends SentinelConnector {
    override connectToSentinel(where: object, settings?: object): ReturnType<SentinelListener['connectToSentinel']> {
      const { disconnectTimeout } = CONNECTION;
      const client = super.connectToSentinel(where, { ...settings, disconnectTimeout });
      client.on('error', () => undefined);
      return client;
    }

    override async resolveMaster(client: SentinelClient): Promise<unknown> {
      const primary = await super.resolveMaster(client).catch((error: Error) => error);
      const isMissing = primary === null || (primary instanceof Error && NO_GROUP.test(primary.message));
      group.others = isMissing ? await groupsOf(client) : undefined;
      if (primary instanceof Error) throw primary;
      return primary;
    }

    override async initFailoverDetector(): Promise<void> {
      if (this.connecting) await super.initFailoverDetector();
    }
  };
}

/** The names of the groups that a Sentinel watches. */
async function groupsOf(client: SentinelClient): Promise<readonly string[]> {
  // A Sentinel may allow its user nothing else.
  const groups = await client.sentinel('masters').catch(() => []);
  return groups.map((fields) => fields[fields.indexOf('name') + 1]!);
}

/** The exports of ioredis that the store uses. */
interface Ioredis {
  Redis: new (...options: unknown[]) => IoredisClient;
  Cluster: new (...options: unknown[]) => IoredisClient;
  SentinelConnector: new (...options: unknown[]) => SentinelListener;
}

interface SentinelListener {
  readonly connecting: boolean;
  connectToSentinel(where: object, settings?: object): { on(event: string, listener: () => void): unknown };
  initFailoverDetector(): Promise<void>;
  /** Null for a group that the Sentinel does not watch. */
  resolveMaster(client: SentinelClient): Promise<unknown>;
}

interface SentinelClient {
  sentinel(command: 'masters'): Promise<readonly (readonly string[])[]>;
}

/**
 * An application without Redis need not install ioredis. It is loaded at once: a store that can never connect must not
 * exist.
 */
function loadIoredis(): Ioredis {
  try {
    // An import of createRequire would clash with the one that bundles of esbuild usually begin with.
    return process.getBuiltinModule('node:module').createRequire(import.meta.url)('ioredis') as Ioredis;
  } catch (cause) {
    const message =
      'redisStore: ioredis was not found: npm install ioredis. A bundle does not contain it: pass the client itself, as in redisStore(new Redis(url))';
    throw new ConfigError('OPTION_INVALID', 'client', undefined, message, { cause });
  }
}
