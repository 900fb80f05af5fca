import { ConfigError, distance, type ErrorCode, show } from '@sluice/core/internal';

/** Where the store connects: exactly one of `url`, `sentinels` and `cluster`. This needs ioredis, but not its types. */
export interface RedisOptions {
  /** `redis://` or `rediss://` (TLS), with user, password and database. */
  url?: string;
  /** Sentinels of the group `name`. */
  sentinels?: readonly { host: string; port: number }[];
  /** Name of the group that the Sentinels watch. */
  name?: string;
  /** At least one node of a Cluster: URLs, or hosts and ports. */
  cluster?: readonly (string | { host: string; port: number })[];
  /**
   * Other options of ioredis: `username`, `password`, `tls`, `db`, `sentinelPassword` and so on. The store sets timeouts,
   * retries and queues itself, because they decide how a limiter fails.
   */
  connection?: Readonly<Record<string, unknown>>;
}

const TARGETS = ['url', 'sentinels', 'cluster'] as const;
const OPTIONS: readonly string[] = [...TARGETS, 'name', 'connection'];

const UNSET = "set the variable that it is read from, or write url: process.env.REDIS_URL ?? 'redis://localhost:6379'";

/** Hints for options of ioredis that are in the wrong place. */
const IOREDIS_HINTS: ReadonlyMap<string, string> = new Map([
  ['host', "use url: 'redis://host:port'"],
  ['port', "use url: 'redis://host:port'"],
  ['deadline', 'belongs in the second argument: redisStore({ … }, { deadline })'],
  ['connectDeadline', 'belongs in the second argument: redisStore({ … }, { connectDeadline })'],
  ['token', "belongs to the REST API of Upstash: use url: 'rediss://default:password@host:6379' of the same database"],
  ...['username', 'password', 'db', 'tls'].map((name) => [name, `belongs in connection: { ${name} }`] as const),
]);

/** Options of ioredis that decide where a client connects, and as which user. It ignores a misspelled one. */
const CREDENTIALS = ['username', 'password', 'sentinelUsername', 'sentinelPassword', 'db', 'tls', 'keyPrefix'];

/**
 * Checks where to connect.
 *
 * @param reserved names of the options of ioredis that the store sets itself
 * @throws ConfigError with the option and the rule. It never shows a string, because most of them contain passwords
 */
export function checkOptions(options: RedisOptions, reserved: readonly string[]): void {
  if (typeof options !== 'object' || options === null) {
    throw invalid('client', options, 'must be an ioredis client or options such as { url }');
  }
  if ('evalSha' in options) {
    throw invalid(
      'client',
      options,
      'of node-redis is not supported: pass an object with evalsha and eval functions that call it',
    );
  }
  const unset = TARGETS.find((target) => target in options);
  const given = Object.entries(options).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  const unknown = given.find((name) => !OPTIONS.includes(name));
  if (unknown !== undefined) {
    const hint = IOREDIS_HINTS.get(unknown) ?? `use ${OPTIONS.join(', ')}`;
    throw failure('OPTION_UNKNOWN', unknown, `is not an option: ${hint}`);
  }
  const targets = TARGETS.filter((target) => given.includes(target));
  if (targets.length === 0 && unset !== undefined) throw failure('OPTION_INVALID', unset, `is undefined: ${UNSET}`);
  if (targets.length !== 1) {
    const rule = `is one of ${TARGETS.join(', ')}: pass exactly one`;
    throw failure('OPTION_INVALID', targets[1] ?? 'url', `${rule}, got ${targets.join(' and ') || 'none'}`);
  }
  const { url, sentinels, name, cluster, connection = {} } = options;
  if (url !== undefined) checkUrl('url', url);
  if (sentinels !== undefined) checkSentinels(sentinels);
  if (cluster !== undefined) checkCluster(cluster);
  if (sentinels ? typeof name !== 'string' : name !== undefined) {
    throw invalid('name', name, 'must name the group of the sentinels, and is only allowed with sentinels');
  }
  if (typeof connection !== 'object' || connection === null) {
    throw invalid('connection', connection, 'must be an object');
  }
  const reservedName = reserved.find((each) => each in connection);
  if (reservedName !== undefined)
    throw invalid(`connection.${reservedName}`, connection[reservedName], 'is set by the store: remove it');
  for (const each of Object.keys(connection)) {
    const meant = CREDENTIALS.includes(each) ? undefined : misspelled(each);
    if (meant === undefined) continue;
    throw failure('OPTION_UNKNOWN', `connection.${each}`, `is not an option of ioredis: did you mean ${meant}?`);
  }
}

/** The option that one or two wrong letters explain; one in a short name. Others may be options of a newer ioredis. */
function misspelled(name: string): string | undefined {
  return CREDENTIALS.find((each) => distance(name, each) <= (each.length > 3 ? 2 : 1));
}

function checkSentinels(sentinels: unknown): void {
  if (!isList(sentinels)) throw invalid('sentinels', sentinels, 'must be an array of { host, port }');
  for (const [index, each] of sentinels.entries()) checkServer(`sentinels[${index}]`, withPort(each), '{ host, port }');
}

function checkCluster(cluster: unknown): void {
  if (!isList(cluster)) throw invalid('cluster', cluster, 'must be an array of URLs or { host, port }');
  for (const [index, each] of cluster.entries()) {
    if (typeof each === 'string') checkUrl(`cluster[${index}]`, each);
    else checkServer(`cluster[${index}]`, each, 'a URL or { host, port }');
  }
}

/** The port of a Sentinel has a default. */
function withPort(sentinel: unknown): unknown {
  return typeof sentinel === 'object' ? { port: 26_379, ...sentinel } : sentinel;
}

/** ioredis takes its defaults for what an unset variable leaves out, and then limits on another server. */
function checkServer(option: string, server: unknown, form: string): void {
  if (typeof server !== 'object' || server === null) throw invalid(option, server, `must be ${form}`);
  const { host, port } = server as { host?: unknown; port?: unknown };
  if (typeof host !== 'string' || host === '') throw invalid(`${option}.host`, host, 'must be the name of a host');
  if (typeof port !== 'number' || !Number.isInteger(port) || port < 1 || port > 65_535) {
    throw invalid(`${option}.port`, port, 'must be an integer from 1 to 65535, such as Number(process.env.PORT)');
  }
}

function checkUrl(option: string, url: unknown): void {
  if (url === '' && option === 'url') throw failure('OPTION_INVALID', option, `is empty: ${UNSET}`);
  if (typeof url === 'string' && /^https?:\/\//.test(url)) {
    throw invalid(
      option,
      url,
      'must begin with redis:// or rediss://: https:// is a REST API, such as that of Upstash',
    );
  }
  if (typeof url !== 'string' || !/^rediss?:\/\//.test(url)) {
    throw invalid(option, url, 'must begin with redis:// or rediss://');
  }
  const { hostname, username, password } = parse(option, url);
  if (hostname === '') {
    const remedy = "for a Unix socket, pass url: 'redis://localhost' and connection: { path }";
    throw invalid(option, url, `must name a host: ${remedy}`);
  }
  try {
    decodeURIComponent(username + password);
  } catch {
    throw invalid(option, url, 'must have % in a user or password written as %25');
  }
}

function parse(option: string, url: string): URL {
  try {
    return new URL(url);
  } catch {
    throw invalid(option, url, 'must be a URL such as redis://user:password@host:6379/0');
  }
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.length > 0;
}

function invalid(option: string, value: unknown, rule: string): ConfigError {
  const shown = typeof value === 'string' ? 'a string' : show(value);
  return failure('OPTION_INVALID', option, `${rule}, got ${shown}`);
}

function failure(code: ErrorCode, option: string, rule: string): ConfigError {
  return new ConfigError(code, option, undefined, `redisStore: ${option} ${rule}`);
}
