import {
  checkObject,
  ConfigError,
  type Decision,
  FUNCTION,
  isPromise,
  type KnownPlans,
  type Limiter,
  type MaybePromise,
  type NameOf,
  OptionReader,
  type OptionRow,
  type OptionRows,
  peerOption,
  SEVERAL,
  type SharedLimiterOptions,
  type Tier,
  type TierKey,
  type TierOptions,
  type TierPolicy,
  type TierReader,
} from '@sluice/core/internal';
import { ADDRESSES_ROW, type AddressList } from './address-rules.js';
import { headerFormats, type HeaderFormat } from '../headers/header-formats.js';
import type { Problem } from '../problem/problem.js';
import { SHED, type Shedding } from './shedding.js';

/** The options of a gate. `S` is the request of the framework, `OnDenied` its kind of handler. */
export interface GateOptions<S, OnDenied = never> {
  /**
   * Addresses and networks whose requests are not counted: `['10.0.0.0/8']`, or an `ipList`. It wins over `deny`.
   *
   * @default none
   */
  allow?: AddressList;
  /**
   * Addresses and networks whose requests get 403, without a call to the store: an array, or an `ipList`.
   *
   * @default none
   */
  deny?: AddressList;
  /**
   * Refuses requests under overload, before they are counted: `shedder` of `@sluice/overload`. Requests that `skip` or `allow`
   * lets through are not refused.
   *
   * @default none
   */
  shed?: Shedding<S>;
  /** Chooses requests that are not counted, and whose responses get no headers. */
  skip?: (request: S) => MaybePromise<boolean | undefined>;
  /**
   * Units that a request takes from each tier without its own cost. 0 reads the tiers and charges nothing.
   *
   * @default 1
   */
  cost?: number | ((request: S) => MaybePromise<number>);
  /**
   * Formats of the rate-limit headers, at most one of them a draft. `[]` sends none. `Retry-After` is always sent.
   *
   * @default ['x-ratelimit']
   */
  headers?: readonly HeaderFormat[];
  /**
   * The body of a denial: a string or its bytes in UTF-8, a value for JSON, or a function that returns one of them.
   *
   * @default problem details (RFC 9457)
   */
  body?: string | object | ((denied: Denied<S>) => unknown);
  /** Sends the response of a denial. The status and the headers are set before it is called. */
  onDenied?: OnDenied;
  /**
   * Refunds a request when its response was sent, depending on the status: `(status) => status < 400` counts failures
   * only. A request whose client disconnects before that stays counted. Refund no status that a client can bring about:
   * `If-None-Match: *` makes a 304 of any answer, and requests with a refund have no limit.
   */
  refundWhen?: (status: number, request: S) => MaybePromise<boolean>;
}

/** A denied request, for the option `body`. */
export interface Denied<S> {
  readonly request: S;
  readonly decision: Decision;
  readonly problem: Problem;
}

/** A tier of a gate. Its `key` is the client's address, `byIp()`, by default. */
export type GateTier<S> = TierPolicy<S> & TierOptions<S> & Partial<TierKey<S>>;

/** The tiers of a gate, or a function that returns those of a request. */
export type GateTiers<S> =
  | readonly GateTier<S>[]
  | ((request: S, limiter: TierReader<S>) => MaybePromise<readonly GateTier<S>[]>);

/** The options of a gate and of its limiter together, with `tiers` or one tier; or with a shared `limiter`. */
export type GatedLimiterOptions<S, OnDenied = never> = GateOptions<S, OnDenied> &
  (
    | ({ limiter: Limiter<S> } & { [Name in keyof SharedLimiterOptions<S> | TierName<S> | 'tiers' | 'plans']?: never })
    | (SharedLimiterOptions<S> & { limiter?: never } & (
          | ({ tiers: GateTiers<S> } & KnownPlans<GateTier<S>> & { [Name in TierName<S>]?: never })
          | (GateTier<S> & { tiers?: never; plans?: never })
        ))
  );

/** The options of a tier alone: gates have a cost too, and limiters an `onStoreFailure`. */
type TierName<S> = Exclude<NameOf<Tier<S>>, 'cost' | 'onStoreFailure'>;

const FORMATS = Object.keys(headerFormats);
const FORMAT_ROW = { oneOf: FORMATS, words: `one of ${FORMATS.join(', ')}`, required: true } as const;
const INSTEAD_OF_FORMATS = Object.fromEntries(
  FORMATS.map((name) => [name, `must be an array of ${FORMATS.join(', ')}: write headers: ['${name}']`]),
);

export const GATE_ROWS = {
  skip: FUNCTION,
  cost: { code: 'COST_INVALID', integer: [0, Number.MAX_SAFE_INTEGER], orFunction: true },
  headers: { is: areFormats, words: `an array of ${FORMATS.join(', ')}`, instead: INSTEAD_OF_FORMATS },
  body: { is: isBody, words: 'a string, an object or a function' },
  onDenied: FUNCTION,
  refundWhen: FUNCTION,
  allow: ADDRESSES_ROW,
  deny: ADDRESSES_ROW,
  shed: {
    is: (shed) => typeof (Object(shed) as Partial<Shedding<never>>)[SHED] === 'function',
    words: 'what shedder of @sluice/overload returns: write shedder({ … })',
  },
} as const satisfies OptionRows;

export const GATE_OPTIONS = Object.keys(GATE_ROWS) as readonly (keyof typeof GATE_ROWS)[];

/** Checks the options of the gate. The limiter checks the others. @throws ConfigError */
export function readGateOptions<S, OnDenied>(
  options: GatedLimiterOptions<S, OnDenied>,
): GatedLimiterOptions<S, OnDenied> {
  checkObject('rateLimit', options, SEVERAL);
  // `app.use(rateLimit)` calls it with the first request.
  if ('socket' in options || 'raw' in options || 'req' in options) {
    const message = 'rateLimit: options must be an object, got a request. Call it: app.use(rateLimit({ … }))';
    throw new ConfigError('OPTION_INVALID', 'options', undefined, message);
  }
  if (isLimiter(options)) {
    const message = 'rateLimit: options must be an object that holds the limiter: { limiter }, got the limiter';
    throw new ConfigError('OPTION_INVALID', 'options', undefined, message);
  }
  const reader = new OptionReader('rateLimit', options, Object.keys(options));
  if (options.limiter !== undefined) checkSharedLimiter(reader, options);
  reader.read(GATE_ROWS);
  for (const index of options.headers?.keys() ?? []) reader.item('headers', index, FORMAT_ROW);
  return options;
}

const MADE = 'a limiter that createLimiter has made';
/** `limiter` names an algorithm in other libraries. */
const ALGORITHM = ": for an algorithm write algorithm: 'sliding-window', with limit and window";

const SHARED_ROW = {
  is: (limiter) => {
    if (isLimiter(limiter)) return true;
    return typeof limiter === 'string' || typeof limiter === 'function' ? `must be ${MADE}${ALGORITHM}` : false;
  },
  words: MADE,
} as const satisfies OptionRow;

function checkSharedLimiter(reader: OptionReader, options: { readonly limiter?: unknown }): void {
  reader.one('limiter', SHARED_ROW);
  const allowed: readonly string[] = ['limiter', ...GATE_OPTIONS];
  const other = Object.keys(options).find((name) => reader.has(name) && !allowed.includes(name));
  if (other === undefined) return;
  const answer = peerOption(other, allowed);
  if (answer) throw reader.fail('OPTION_UNKNOWN', other, answer);
  const rule = `cannot be combined with limiter, which has its own limits: allowed are ${GATE_OPTIONS.join(', ')}`;
  throw reader.fail('OPTION_UNKNOWN', other, rule);
}

/** True for a limiter of any copy of this package. */
export function isLimiter<S>(options: unknown): options is Limiter<S> {
  return typeof (options as Partial<Limiter<S>> | null)?.settle === 'function';
}

function isBody(body: unknown): boolean | string {
  if (!['string', 'object', 'function'].includes(typeof body)) return false;
  if (isPromise(body)) return 'must be a string, an object or a function, and is a promise: await it';
  try {
    JSON.stringify(body);
    return true;
  } catch {
    return 'must be a value that JSON can hold, without cycles and BigInt';
  }
}

function areFormats(headers: unknown): boolean | string {
  if (!Array.isArray(headers)) return false;
  const drafts = headers.filter((format) => typeof format === 'string' && format.startsWith('draft-'));
  return drafts.length <= 1 || 'must have at most one draft, because all use RateLimit-Policy';
}
