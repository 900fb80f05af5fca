import { shell } from '../../terminal/shell.js';
import { fine, problem, type Finding } from './finding.js';
import type { Server } from './server.js';

/** The commands that a limiter sends: docs/guide/redis.md, "Rights". */
const ON_KEYS = [
  'get',
  'set',
  'setrange',
  'incr',
  'incrby',
  'decrby',
  'pexpireat',
  'pexpiretime',
  'unlink',
  'llen',
  'lindex',
  'lrange',
  'lpush',
  'rpush',
  'lpop',
  'ltrim',
  'lrem',
  'zadd',
  'zcard',
  'zcount',
  'zrange',
  'zrem',
  'zremrangebyscore',
  'hget',
  'hmget',
  'hkeys',
  'hset',
  'hdel',
  'zscore',
  'hgetall',
  'hincrby',
  'persist',
];
const WITHOUT_KEYS = ['client|setname', 'info', 'eval', 'evalsha', 'time'];
const OF_CLUSTER = ['cluster|slots', 'asking'];

/** Arguments with which ACL DRYRUN accepts a command. */
const ARGUMENTS: Readonly<Record<string, (key: string) => readonly string[]>> = {
  set: (key) => [key, '1'],
  setrange: (key) => [key, '0', 'x'],
  incrby: (key) => [key, '1'],
  decrby: (key) => [key, '1'],
  pexpireat: (key) => [key, '1'],
  lindex: (key) => [key, '0'],
  lrange: (key) => [key, '0', '1'],
  lpush: (key) => [key, 'x'],
  rpush: (key) => [key, 'x'],
  ltrim: (key) => [key, '0', '1'],
  lrem: (key) => [key, '1', 'x'],
  zadd: (key) => [key, '1', 'x'],
  zcount: (key) => [key, '0', '1'],
  zrange: (key) => [key, '0', '1'],
  zrem: (key) => [key, 'x'],
  hget: (key) => [key, 'x'],
  hmget: (key) => [key, 'x'],
  hset: (key) => [key, 'x', 'x'],
  hdel: (key) => [key, 'x'],
  zscore: (key) => [key, 'x'],
  hincrby: (key) => [key, 'x', '1'],
  zremrangebyscore: (key) => [key, '0', '1'],
  eval: (key) => ['return 1', '1', key],
  evalsha: (key) => ['sha', '1', key],
};

interface RightsOptions {
  /** The user of the limiters. @default the one that asks */
  readonly user?: string | undefined;
  readonly prefix: string;
}

/** Whether the user of the limiters may run every command that they send. The server tells without running one. */
export async function checkRights(server: Server, { user, prefix }: RightsOptions): Promise<Finding> {
  const name = user ?? String(await server.ask('ACL', 'WHOAMI'));
  const isCluster = (await server.info('cluster')).get('cluster_enabled') === '1';
  const commands = [...ON_KEYS, ...WITHOUT_KEYS, ...(isCluster ? OF_CLUSTER : [])];
  const key = `${prefix}:{doctor}:rights`;
  const denials = await Promise.all(commands.map((command) => denialOf(server, name, { command, key })));
  const missing = commands.filter((_, index) => denials[index] !== 'OK');
  if (missing.length === 0) return fine('rights', `rights of ${name}: all ${commands.length} commands on ${prefix}:*`);
  if (denials.some((denial) => / key/.test(denial))) {
    return problem(
      'rights',
      `${name} may not use keys ${prefix}:*`,
      shell`redis-cli ACL SETUSER ${name} ${`~${prefix}:*`}`,
    );
  }
  const grants = missing.map((command) => `+${command}`);
  return problem('rights', `${name} may not run ${missing.join(', ')}`, shell`redis-cli ACL SETUSER ${name} ${grants}`);
}

/** `OK`, or what the server says against it. */
async function denialOf(server: Server, user: string, { command, key }: { command: string; key: string }) {
  const isOnKey = ON_KEYS.includes(command);
  const [name, subcommand] = command.split('|');
  const args = ARGUMENTS[command]?.(key) ?? (isOnKey ? [key] : []);
  const rest = subcommand === undefined ? args : [subcommand, ...(subcommand === 'setname' ? ['x'] : [])];
  return String(await server.ask('ACL', 'DRYRUN', user, name!, ...rest));
}
