import {
  ConfigError,
  distance,
  type ErrorCode,
  OptionReader,
  type OptionRow,
  type OptionRows,
  show,
} from '@sluice/core/internal';

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

export const URL_ROW = {
  is: isUrl,
  words:
    'a URL such as redis://user:password@host:6379/0: percent-encode special characters of the password (encodeURIComponent), or pass connection: { password }',
  secret: true,
} as const satisfies OptionRow;

export const REDIS_ROWS = {
  url: URL_ROW,
  sentinels: { is: isList, words: 'an array of { host, port }', secret: true },
  name: { is: 'string', words: 'the name of the group that the sentinels watch', secret: true },
  cluster: { is: isList, words: 'an array of URLs or { host, port }', secret: true },
  connection: { is: isObject, words: 'an object', secret: true },
} as const satisfies OptionRows;

const SENTINEL_ROW = { is: isObject, words: '{ host, port }', required: true, secret: true } as const;
const NODE_ROW = { ...SENTINEL_ROW, words: 'a URL or { host, port }' } as const;

export const SERVER_ROWS = {
  host: { is: /./s, words: 'the name of a host', required: true, secret: true },
  port: {
    integer: [1, 65_535],
    words: 'an integer from 1 to 65535, such as Number(process.env.PORT)',
    required: true,
    secret: true,
  },
} as const satisfies OptionRows;

const TARGETS = ['url', 'sentinels', 'cluster'] as const;
const OPTIONS: readonly string[] = [...TARGETS, 'name', 'connection'];

const UNSET = "set the variable that it is read from, or write url: process.env.REDIS_URL ?? 'redis://localhost:6379'";

/** Hints for options of ioredis that are in the wrong place. */
const IOREDIS_HINTS: ReadonlyMap<string, string> = new Map([
  ['client', 'pass the client itself: redisStore(client)'],
  ['host', "use url: 'redis://host:port'"],
  ['port', "use url: 'redis://host:port'"],
  ['deadline', 'it belongs in the second argument: redisStore({ … }, { deadline })'],
  ['connectDeadline', 'it belongs in the second argument: redisStore({ … }, { connectDeadline })'],
  [
    'token',
    "it belongs to the REST API of Upstash: use url: 'rediss://default:password@host:6379' of the same database",
  ],
  ...['username', 'password', 'db', 'tls'].map((name) => [name, `it belongs in connection: { ${name} }`] as const),
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
    const remedy = typeof options === 'string' ? ': write redisStore({ url })' : '';
    throw invalid('client', options, `must be an ioredis client or options such as { url }${remedy}`);
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
  const reader = new OptionReader('redisStore', options, REDIS_ROWS);
  const { sentinels, cluster } = reader.read(REDIS_ROWS);
  for (const index of (sentinels as unknown[] | undefined)?.keys() ?? []) checkServer(reader, 'sentinels', index);
  for (const [index, node] of (cluster as unknown[] | undefined)?.entries() ?? []) {
    if (typeof node === 'string') reader.item('cluster', index, URL_ROW);
    else checkServer(reader, 'cluster', index);
  }
  if (reader.has('sentinels') !== reader.has('name')) {
    throw invalid('name', options.name, 'must name the group of the sentinels, and is only allowed with sentinels');
  }
  const { connection = {} } = options;
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

/** ioredis takes its defaults for what an unset variable leaves out, and then limits on another server. */
function checkServer(reader: OptionReader, option: 'sentinels' | 'cluster', index: number): void {
  reader.item(option, index, option === 'cluster' ? NODE_ROW : SENTINEL_ROW);
  // The port of a Sentinel has a default. Other members are those of ioredis.
  const { host, port } = SERVER_ROWS;
  const server = reader.inside(option, index);
  server.one('host', host);
  server.one('port', option === 'cluster' ? port : { ...port, otherwise: 26_379 });
}

function isUrl(url: unknown): boolean | string {
  if (url === '') return `is empty: ${UNSET}`;
  if (typeof url === 'string' && /^https?:\/\//.test(url)) {
    return 'must begin with redis:// or rediss://: https:// is a REST API, such as that of Upstash';
  }
  if (typeof url !== 'string' || !/^rediss?:\/\//.test(url)) return 'must begin with redis:// or rediss://';
  if (!URL.canParse(url)) return `must be ${URL_ROW.words}`;
  const { hostname, username, password } = new URL(url);
  if (hostname === '') {
    return "must name a host: for a Unix socket, pass url: 'redis://localhost' and connection: { path }";
  }
  return isDecodable(username + password) || 'must have % in a user or password written as %25';
}

function isDecodable(text: string): boolean {
  try {
    return decodeURIComponent(text) !== undefined;
  } catch {
    return false;
  }
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
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
