import { ConfigError, type ErrorCode } from '../../../model/errors.js';
import { show } from '../../../options/option-reader.js';

/**
 * Where the store's own client connects to: exactly one of `url`, `sentinels` and `cluster`. ioredis has to be
 * installed; its types are not needed.
 */
export interface RedisOptions {
  /** `redis://` or `rediss://` (TLS), with user, password and database as usual. */
  url?: string;
  /** Sentinels of a group, and the group's name. */
  sentinels?: readonly { host: string; port: number }[];
  /** The name that Sentinels know the primary by. */
  name?: string;
  /** Some nodes of a Cluster: URLs, or hosts and ports. */
  cluster?: readonly (string | { host: string; port: number })[];
  /**
   * What else ioredis takes to connect: `username`, `password`, `tls`, `db`, `sentinelPassword` and so on. What decides
   * how a limiter fails (time limits, retries, queues) cannot be overridden here.
   */
  connection?: Readonly<Record<string, unknown>>;
}

const WAYS = ['url', 'sentinels', 'cluster'] as const;
const KNOWN: readonly string[] = [...WAYS, 'name', 'connection'];

/** Where the options of ioredis go that are given here by mistake. */
const IOREDIS: ReadonlyMap<string, string> = new Map([
  ['host', "use url: 'redis://host:port'"],
  ['port', "use url: 'redis://host:port'"],
  ...['username', 'password', 'db', 'tls'].map((name) => [name, `belongs into connection: { ${name} }`] as const),
]);

/**
 * Checks how to connect.
 *
 * @param fixed names of what the store decides itself
 * @throws ConfigError that names the option and the rule, and never a text: most of them hold passwords
 */
export function checkOptions(options: RedisOptions, fixed: readonly string[]): void {
  if (typeof options !== 'object' || options === null) {
    throw invalid('client', options, 'must be an ioredis client or options such as { url }');
  }
  if ('evalSha' in options) {
    throw invalid('client', options, 'of node-redis does not fit: pass { evalsha, eval } functions that call it');
  }
  const given = Object.entries(options).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  const unknown = given.find((name) => !KNOWN.includes(name));
  if (unknown !== undefined) {
    const hint = IOREDIS.get(unknown) ?? `known are ${KNOWN.join(', ')}`;
    throw failure('OPTION_UNKNOWN', unknown, `is not an option here: ${hint}`);
  }
  const ways = WAYS.filter((way) => given.includes(way));
  if (ways.length !== 1) {
    const rule = `is one of ${WAYS.join(', ')}, of which exactly one must be given`;
    throw failure('OPTION_INVALID', ways[1] ?? 'url', `${rule}, got ${ways.join(' and ') || 'none'}`);
  }
  const { url, sentinels, name, cluster, connection = {} } = options;
  if (url !== undefined && !(typeof url === 'string' && /^rediss?:\/\//.test(url))) {
    throw invalid('url', url, 'must begin with redis:// or rediss://');
  }
  if (sentinels && !isList(sentinels)) throw invalid('sentinels', sentinels, 'must be an array of { host, port }');
  if (cluster && !isList(cluster)) throw invalid('cluster', cluster, 'must be an array of URLs or { host, port }');
  if (sentinels ? typeof name !== 'string' : name !== undefined) {
    throw invalid('name', name, 'must be the group that the sentinels watch, and stands beside sentinels only');
  }
  if (typeof connection !== 'object' || connection === null) {
    throw invalid('connection', connection, 'must be an object');
  }
  const taken = fixed.find((each) => each in connection);
  if (taken !== undefined) throw invalid(`connection.${taken}`, connection[taken], 'must be left to the store');
}

function isList(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0;
}

function invalid(option: string, value: unknown, rule: string): ConfigError {
  const shown = typeof value === 'string' ? 'a string' : show(value);
  return failure('OPTION_INVALID', option, `${rule}, got ${shown}`);
}

function failure(code: ErrorCode, option: string, rule: string): ConfigError {
  return new ConfigError(code, option, undefined, `redisStore: ${option} ${rule}`);
}
