import { errorMonitor, type EventEmitter } from 'node:events';
import { ConfigError, kindOf, warn } from '@sluice/core/internal';
import { isDatabaseRefusal, missingDatabase } from './database-check.js';
import type { RedisClient } from './redis-client.js';

/** What a store needs of a client that is not ioredis. */
export interface CommandSender {
  /**
   * Sends a command, and resolves with its reply: a number as a number, an array as an array.
   *
   * @param command its name and its arguments
   * @param key whose slot it is for; undefined for a command without keys
   */
  send(command: readonly string[], key: string | undefined): Promise<unknown>;
  /**
   * Whether a command would be sent now. A store waits for no other, because a client that queues commands while it is
   * disconnected counts requests late.
   *
   * @default always
   */
  isReady?(): boolean;
  /** Calls back when the client is `ready`, and when its connection is `lost`. */
  on?(event: 'ready' | 'lost', listener: () => void): unknown;
  /**
   * Replaces the connection: it was silent for two seconds after a command, its server has refused commands for two
   * seconds that a new connection may run (READONLY, MASTERDOWN, lost rights), or it gave a reply of another form. A
   * network can forget a connection, and TCP takes minutes to notice. The client rejects all commands in flight, those of
   * the application too.
   *
   * @returns a promise of the new connection. It is called again every two seconds until that
   * @default never: the process decides without Redis until the client notices itself
   */
  resetConnection?(): unknown;
  /** True for a client of a Cluster, where all keys of a command must be in one slot. */
  readonly isCluster?: boolean;
}

/**
 * Makes a client for `redisStore` of any function that sends commands. ioredis, iovalkey and node-redis need none.
 *
 * @throws ConfigError OPTION_INVALID
 * @example
 * const store = redisStore(clientOf({ send: (command) => glide.customCommand([...command]) }));
 */
export function clientOf(sender: CommandSender): RedisClient {
  const { send } = Object(sender) as Partial<CommandSender>;
  if (typeof send !== 'function') {
    const remedy = 'write clientOf({ send: (command) => … }), or redisStore({ url }) for a URL';
    const message = `clientOf: send must be a function of the command, got ${kindOf(send)}: ${remedy}`;
    throw new ConfigError('OPTION_INVALID', 'send', undefined, message);
  }
  const run = (name: 'EVALSHA' | 'EVAL', script: string, keys: number, rest: readonly (string | number)[]) =>
    Promise.resolve(
      sender.send([name, script, String(keys), ...rest.map(String)], keys > 0 ? String(rest[0]) : undefined),
    ).catch(rethrowAsSent);
  const client: RedisClient = {
    evalsha: (sha, keys, ...rest) => run('EVALSHA', sha, keys, rest),
    eval: (source, keys, ...rest) => run('EVAL', source, keys, rest),
    isCluster: sender.isCluster === true,
  };
  if (sender.resetConnection) client.resetConnection = () => sender.resetConnection!();
  if (sender.isReady) addStatus(client, () => sender.isReady!(), 'unready');
  if (sender.on) {
    const events: Readonly<Record<string, 'ready' | 'lost'>> = { ready: 'ready', end: 'lost' };
    Object.assign(client, {
      on(event: string, listener: () => void) {
        const own = events[event];
        if (own !== undefined) sender.on!(own, listener);
      },
    });
  }
  return client;
}

/**
 * Gives a client a status like that of ioredis. Before it is ready for the first time it has the status of a client that
 * nobody has connected, so that an outage names the mistake of an application that forgot to.
 *
 * @param first the status before, while `isOpen` is false
 */
function addStatus(client: RedisClient, isReady: () => boolean, first: 'unready' | 'wait', isOpen = () => false): void {
  let wasOpen = false;
  const get = () => {
    const ready = isReady();
    wasOpen ||= ready || isOpen();
    if (ready) return 'ready';
    return wasOpen ? 'reconnecting' : first;
  };
  Object.defineProperty(client, 'status', { get });
}

/** How GLIDE writes an error of the server: `NoScriptError: …`, `ResponseError: NOPERM …`, or `WRONGTYPE: …`. */
const GLIDE = /^An error was signalled by the server: - (?:(NoScriptError): |\w+Error: )?|^(?=[A-Z][A-Z_]+: )/;

/** Throws the error of a reply as the server has sent it. @throws always */
function rethrowAsSent(error: unknown): never {
  const { message = '' } = Object(error) as { message?: string };
  const [prefix, isNoScript] = GLIDE.exec(message) ?? [];
  if (prefix === undefined) throw error;
  const text = message.slice(prefix.length).replace(/^([A-Z][A-Z_]+): /, '$1 ');
  throw Object.assign(new Error(isNoScript ? `NOSCRIPT ${text}` : text), { name: 'ReplyError' });
}

/** The members of a client of node-redis that a store uses: of one server or of a Cluster. */
export interface NodeRedisClient {
  readonly isOpen: boolean;
  readonly isReady?: boolean;
  /** Of a Cluster. */
  readonly masters?: readonly unknown[];
  readonly options?: unknown;
  sendCommand(...args: never[]): Promise<unknown>;
  on(event: string, listener: () => void): unknown;
}

/** True for a client of the package `redis`. */
export function isNodeRedis(from: unknown): from is NodeRedisClient {
  const { sendCommand, isOpen, on } = Object(from) as Partial<NodeRedisClient>;
  return typeof sendCommand === 'function' && typeof isOpen === 'boolean' && typeof on === 'function';
}

// One for each client, because stores on one client share batches.
const wrapped = new WeakMap<NodeRedisClient, RedisClient>();

/** A client of node-redis with the methods of ioredis. @throws ConfigError for one of Sentinels */
export function clientOfNodeRedis(client: NodeRedisClient): RedisClient {
  const known = wrapped.get(client);
  if (known) return known;
  if ('getSentinelNode' in client) {
    const rule = 'sends requests again that a failover has interrupted, so they count twice';
    const message = `redisStore: a client of node-redis for Sentinels ${rule}: write redisStore({ sentinels, name })`;
    throw new ConfigError('OPTION_INVALID', 'client', undefined, message);
  }
  warnOfNodeRedis(client);
  const isCluster = client.masters !== undefined;
  const sendCommand = client.sendCommand.bind(client) as (...args: readonly unknown[]) => Promise<unknown>;
  const made = clientOf({
    isCluster,
    send: (command, key) => (isCluster ? sendCommand(key, false, command) : sendCommand(command)),
    on(event, listener) {
      const names = event === 'lost' ? ['reconnecting', 'end'] : [isCluster ? 'connect' : 'ready'];
      for (const name of names) client.on(name, listener);
    },
  });
  const isOpen = () => client.isOpen;
  // A Cluster is ready once it is open: it has a client for each node.
  addStatus(made, () => client.isReady ?? client.isOpen, 'wait', isOpen);
  const { database = 0 } = Object(client.options) as { readonly database?: number };
  if (database > 0) observeDatabase(client, made, database);
  wrapped.set(client, made);
  return made;
}

/** Node-redis connects again and again where the server has no such database, and tells its listeners alone. */
function observeDatabase(client: NodeRedisClient, made: RedisClient, database: number): void {
  let problem: Error | undefined;
  // No listener of `error`: a client without one ends its process, which the application should see.
  (client as unknown as EventEmitter).on(errorMonitor, (error: Error) => {
    problem = isDatabaseRefusal(error) ? new Error(missingDatabase(database, error.message)) : undefined;
  });
  client.on('ready', () => (problem = undefined));
  Object.defineProperty(made, 'lastError', { get: () => problem });
}

function warnOfNodeRedis({ options, masters }: NodeRedisClient): void {
  const settings = Object(masters === undefined ? options : undefined) as { readonly disableOfflineQueue?: boolean };
  const isLate = masters === undefined && options !== undefined && settings.disableOfflineQueue !== true;
  const late =
    'it sends requests again that it could not send, which counts them late: set disableOfflineQueue: true; ';
  warn(
    'SLUICE_REDIS_CLIENT_SETTINGS',
    `redisStore: this client of node-redis can hide an outage: ${isLate ? late : ''}it keeps a silent connection for minutes: write redisStore(clientOf({ send, isReady, on, resetConnection }))`,
  );
}
