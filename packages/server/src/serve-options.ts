import type { KeyFunction, OnStoreFailure, Store } from '@sluice/core';
import type { Duration } from '@sluice/core/internal';
import type { HeaderFormat } from '@sluice/http';
import { checkObject, FLAG, FUNCTION, OptionReader, type OptionRows } from '@sluice/http/adapter';
import type { ServedRequest } from './deciding/served-request.js';

/** Where the service listens. A port of 0 is any free one, and `false` none. */
export interface ListenOptions {
  /**
   * The address of all ports.
   *
   * @default '127.0.0.1'
   */
  readonly host?: string;
  /** @default 8080 */
  readonly http?: number | false;
  /** @default 8081 */
  readonly grpc?: number | false;
  /**
   * Metrics, health and the dashboard.
   *
   * @default 6070
   */
  readonly operations?: number | false;
}

/** What clients may send. */
export interface BoundOptions {
  /**
   * Bytes of a message or a body. Envoy takes headers of 60 KiB by default, and each descriptor may repeat one of them: a message
   * above the bound is an error, upon which Envoy lets the request pass by default.
   *
   * @default 262144
   */
  readonly bytes?: number;
  /**
   * Descriptors of a request.
   *
   * @default 32
   */
  readonly descriptors?: number;
  /**
   * Connections of each port.
   *
   * @default 1024
   */
  readonly connections?: number;
  /**
   * In which a request must have come.
   *
   * @default '10s'
   */
  readonly timeout?: Duration;
}

export interface TlsOptions {
  /** The certificates, as PEM. */
  readonly cert: string | Buffer;
  readonly key: string | Buffer;
  /**
   * Clients must have a certificate of this authority.
   *
   * @default they need none
   */
  readonly clientCa?: string | Buffer;
}

export interface ServeOptions {
  /** The file of policies. */
  readonly file: string;
  /**
   * Signs receipts, and makes the digests of identities: the same as `secret` of the middleware, which then shares its counts
   * with the service. At least 16 characters.
   */
  readonly secret: string;
  /**
   * Secrets of before, by which receipts are taken still: for `receipts` after a change of `secret`.
   *
   * @default none
   */
  readonly formerSecrets?: readonly string[];
  /**
   * The store of all processes, such as `redisStore({ url })`.
   *
   * @default a memory store of this process
   */
  readonly store?: Store;
  /**
   * The middleware has no `secret`: identities are made without it, so that counts are shared. Receipts are signed all the same.
   *
   * @default false
   */
  readonly plainIdentities?: boolean;
  /**
   * Key functions by the names that the file has for them, beside those of `extensions.server.identities` in the file.
   *
   * @default none
   */
  readonly keys?: Readonly<Record<string, KeyFunction<ServedRequest>>>;
  /** Policies in Redis, as `redisPolicies(store, { name })` of the middleware: the name, or `false` for the file alone. @default 'limits', with a store in Redis */
  readonly fleet?: string | false;
  readonly listen?: ListenOptions;
  readonly bounds?: BoundOptions;
  /** @default no TLS */
  readonly tls?: TlsOptions;
  /**
   * Callers send one of them: `authorization: Bearer TOKEN`.
   *
   * @default none is asked for
   */
  readonly tokens?: readonly string[];
  /** What else limiters are made with, as in the middleware. */
  readonly limiters?: LimiterChoices;
  /**
   * How long receipts are taken, from 1 min to 30 days.
   *
   * @default '1d'
   */
  readonly receipts?: Duration;
  /**
   * Serves the dashboard of all processes on the port of operations, for requests with one of these tokens.
   *
   * @default no dashboard
   */
  readonly dashboardTokens?: readonly string[];
  /** Is told of failures that no caller is told of. @default the warning SLUICE_SERVER_FAILED, once for each message */
  readonly onFailure?: (error: unknown) => void;
}

/** Options of the middleware and of its limiters. */
export interface LimiterChoices {
  /** @default 'rl' */
  readonly prefix?: string;
  /** @default 'local' */
  readonly onStoreFailure?: OnStoreFailure;
  /** @default 1 */
  readonly share?: number;
  /** @default true */
  readonly denyCache?: boolean;
  /** @default ['x-ratelimit'] */
  readonly headers?: readonly HeaderFormat[];
}

/** Options of their own, which are checked after it. @param example of them */
function members(example: string) {
  return { is: areMembers, words: `an object, such as ${example}` } as const;
}

const PORT = { is: isPort, words: 'a port from 0 to 65535, or false for none' } as const;
const TOKENS = {
  is: (tokens) =>
    Array.isArray(tokens) &&
    tokens.length > 0 &&
    tokens.every((token) => typeof token === 'string' && /^\S{16,256}$/.test(token)),
  // An empty array, as of a variable that is not set, would admit all.
  words: 'an array of at least one text of 16 to 256 characters without spaces',
  secret: true,
} as const satisfies OptionRows[string];

export const SERVE_ROWS = {
  file: { is: /./s, words: 'the path of a file of policies', required: true },
  secret: { is: /^.{16,}$/s, words: 'a text of at least 16 characters', required: true, secret: true },
  formerSecrets: {
    is: (secrets) =>
      Array.isArray(secrets) && secrets.every((secret) => typeof secret === 'string' && secret.length >= 16),
    words: 'an array of texts of at least 16 characters',
    secret: true,
  },
  store: {
    is: (store) => typeof (store as Partial<Store> | null)?.consume === 'function',
    words: 'a store, such as redisStore({ url })',
  },
  plainIdentities: FLAG,
  keys: members('{ tenant: (request) => request.auth.tenant }'),
  fleet: {
    is: (fleet) => fleet === false || (typeof fleet === 'string' && /^[\w.-]{1,64}$/.test(fleet)),
    words: 'a name of policies in Redis, or false',
  },
  listen: members('{ http: 8080, grpc: 8081 }'),
  bounds: members('{ bytes: 262144 }'),
  tls: { ...members('{ cert, key }, with their PEM'), secret: true },
  tokens: TOKENS,
  limiters: members("{ onStoreFailure: 'deny' }"),
  receipts: { milliseconds: { range: '1 min to 30 days', min: 6e7, max: 2.592e12, example: "'1d'" }, otherwise: '1d' },
  dashboardTokens: TOKENS,
  onFailure: { is: 'function', words: 'a function' },
} as const satisfies OptionRows;

export const LISTEN_ROWS = {
  host: { is: /^\S+$/, words: 'an address, such as 0.0.0.0', otherwise: '127.0.0.1' },
  http: { ...PORT, otherwise: 8080 },
  grpc: { ...PORT, otherwise: 8081 },
  operations: { ...PORT, otherwise: 6070 },
} as const satisfies OptionRows;

export const BOUND_ROWS = {
  bytes: { integer: [1_024, 4_194_304], otherwise: 262_144 },
  descriptors: { integer: [1, 256], otherwise: 32 },
  connections: { integer: [1, 65_535], otherwise: 1_024 },
  timeout: { milliseconds: { range: '100 ms to 5 min', min: 1e5, max: 3e8, example: "'10s'" }, otherwise: '10s' },
} as const satisfies OptionRows;

const PEM = { is: isPem, words: 'PEM, as a text or its bytes', secret: true } as const;
export const TLS_ROWS = {
  cert: { ...PEM, required: true },
  key: { ...PEM, required: true },
  clientCa: PEM,
} as const satisfies OptionRows;

/** Those of limiters are checked where limiters are made. */
const LIMITER_CHOICES = ['prefix', 'onStoreFailure', 'share', 'denyCache', 'headers'];

/** Options with what was left out. */
export interface CheckedServeOptions extends ServeOptions {
  readonly plainIdentities: boolean;
  /** In milliseconds. */
  readonly receipts: number;
  readonly listen: Required<ListenOptions>;
  readonly bounds: CheckedBounds;
}

export interface CheckedBounds {
  readonly bytes: number;
  readonly descriptors: number;
  readonly connections: number;
  /** In milliseconds. */
  readonly timeout: number;
}

/** @throws ConfigError that names the option, the rule and the value */
export function readServeOptions(options: ServeOptions): CheckedServeOptions {
  checkObject('serve', options);
  const reader = new OptionReader('serve', options, SERVE_ROWS);
  const { plainIdentities, receipts } = reader.read(SERVE_ROWS);
  const listen = reader.within('listen', LISTEN_ROWS).read(LISTEN_ROWS) as Required<ListenOptions>;
  const bounds = reader.within('bounds', BOUND_ROWS).read(BOUND_ROWS);
  if (options.tls !== undefined) reader.within('tls', TLS_ROWS).read(TLS_ROWS);
  reader.within('limiters', LIMITER_CHOICES);
  const keys = reader.within('keys');
  for (const name of Object.keys(options.keys ?? {})) keys.one(name, FUNCTION);
  return { ...options, plainIdentities, receipts, listen, bounds };
}

/** @param owner the function that has the options. @throws ConfigError */
export function checkTls(owner: string, tls: TlsOptions): void {
  checkObject(owner, tls);
  new OptionReader(owner, tls, TLS_ROWS).read(TLS_ROWS);
}

/** No array, date or map, of which no member would be read. */
function areMembers(value: unknown): boolean {
  return Object.prototype.toString.call(value) === '[object Object]';
}

function isPort(port: unknown): boolean {
  return port === false || (Number.isInteger(port) && (port as number) >= 0 && (port as number) <= 65_535);
}

function isPem(pem: unknown): boolean {
  return (typeof pem === 'string' || pem instanceof Uint8Array) && String(pem).includes('-----BEGIN ');
}
