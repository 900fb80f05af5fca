import type { SharedLimiterOptions } from '../../limiter/limiter-options.js';
import type { Limiter } from '../../limiter/limiter.js';
import type { NameOf, Tier } from '../../limiter/tiers/tier.js';
import type { Decision } from '../../model/decision.js';
import { ConfigError } from '../../model/errors.js';
import type { MaybePromise } from '../../async/maybe-promise.js';
import { OptionReader, show } from '../../options/option-reader.js';
import type { HeaderFormat } from '../headers/header-format.js';
import { dialects } from '../headers/header-formats.js';
import type { Problem } from '../problem/problem.js';

/** What a gate is told besides its limiter. `S` is the framework's request, `OnDenied` its kind of handler. */
export interface GateOptions<S, OnDenied = never> {
  /** Requests that are neither counted nor told anything. */
  skip?: (request: S) => MaybePromise<boolean | undefined>;
  /**
   * Units that a request takes of each tier without a cost of its own; 0 reads without charging.
   *
   * @default 1
   */
  cost?: number | ((request: S) => MaybePromise<number>);
  /**
   * How clients are told their limits: at most one of the drafts, and `[]` for not at all. `Retry-After` is always sent.
   *
   * @default ['x-ratelimit']
   */
  headers?: readonly HeaderFormat[];
  /**
   * The body of a denial: text, or anything that JSON can hold, or a function that makes it.
   *
   * @default problem details (RFC 9457)
   */
  body?: string | object | ((denied: Denied<S>) => unknown);
  /** Answers a denial instead. Status and headers are set before. */
  onDenied?: OnDenied;
  /**
   * Gives back what a request took when its response has been sent, by the status, such as `(status) => status < 400` to
   * count failures only. A response that the client did not wait for stays counted.
   */
  refundWhen?: (status: number, request: S) => MaybePromise<boolean>;
}

/** What a body is made of. */
export interface Denied<S> {
  readonly request: S;
  readonly decision: Decision;
  readonly problem: Problem;
}

/** A tier of a gate: without a `key` it applies to the client's address, `byIp()`. */
export type GateTier<S> = Tier<S> extends infer T ? (T extends Tier<S> ? WithoutKey<T> : never) : never;

type WithoutKey<T extends { key: unknown }> = Omit<T, 'key'> & { key?: T['key'] };

export type GateTiers<S> = readonly GateTier<S>[] | ((request: S) => MaybePromise<readonly GateTier<S>[]>);

/** Gate options with those of a limiter: its tiers, or one tier in short. Or with a limiter that is shared. */
export type GatedLimiterOptions<S, OnDenied = never> = GateOptions<S, OnDenied> &
  (
    | ({ limiter: Limiter<S> } & { [Name in keyof SharedLimiterOptions<S> | TierName<S> | 'tiers']?: never })
    | (SharedLimiterOptions<S> & { limiter?: never } & (
          | ({ tiers: GateTiers<S> } & { [Name in TierName<S>]?: never })
          | (GateTier<S> & { tiers?: never })
        ))
  );

// A gate has a cost as well, and a limiter says what becomes of its tiers.
type TierName<S> = Exclude<NameOf<Tier<S>>, 'cost' | 'onStoreFailure'>;

export const GATE_OPTIONS = ['skip', 'cost', 'headers', 'body', 'onDenied', 'refundWhen'] as const;

/** Checks what is not about the limiter. @throws ConfigError */
export function readGateOptions<S, OnDenied>(
  options: GatedLimiterOptions<S, OnDenied> | Limiter<S>,
): GatedLimiterOptions<S, OnDenied> {
  if (typeof options !== 'object' || options === null) {
    throw new ConfigError(
      'OPTION_INVALID',
      'options',
      options,
      `rateLimit: options must be an object or a limiter, got ${show(options)}`,
    );
  }
  if (isLimiter(options)) return { limiter: options };
  // The limiter says which of the others it does not know.
  const reader = new OptionReader('rateLimit', options, Object.keys(options));
  if (options.limiter !== undefined) checkSharedLimiter(reader, options);
  for (const name of ['skip', 'onDenied', 'refundWhen'] as const) reader.function(name, options[name]);
  if (typeof options.cost !== 'function' && options.cost !== undefined) {
    reader.integer('COST_INVALID', 'cost', { min: 0 });
  }
  if (!['undefined', 'string', 'object', 'function'].includes(typeof options.body)) {
    throw reader.fail('OPTION_INVALID', 'body', 'must be text, an object or a function');
  }
  checkDialects(reader, options.headers);
  return options;
}

function checkSharedLimiter(reader: OptionReader, options: { readonly limiter?: unknown }): void {
  if (!isLimiter(options.limiter)) {
    throw reader.fail('OPTION_INVALID', 'limiter', 'must be a limiter, as createLimiter makes it');
  }
  const besides: readonly string[] = ['limiter', ...GATE_OPTIONS];
  const other = Object.keys(options).find((name) => reader.has(name) && !besides.includes(name));
  if (other === undefined) return;
  const rule = `must not stand beside limiter, which has limits of its own: there may be ${GATE_OPTIONS.join(', ')}`;
  throw reader.fail('OPTION_UNKNOWN', other, rule);
}

/** True for a limiter, whichever copy of the package has made it. */
export function isLimiter<S>(options: unknown): options is Limiter<S> {
  return typeof (options as Partial<Limiter<S>> | null)?.settle === 'function';
}

function checkDialects(reader: OptionReader, chosen: unknown = []): void {
  const known = Object.keys(dialects);
  if (!Array.isArray(chosen)) throw reader.fail('OPTION_INVALID', 'headers', `must be an array of ${known.join(', ')}`);
  const wrong = (chosen as readonly unknown[]).findIndex((name) => !known.includes(name as string));
  if (wrong >= 0) {
    throw new ConfigError(
      'OPTION_INVALID',
      `headers[${wrong}]`,
      chosen[wrong],
      `rateLimit: headers[${wrong}] must be one of ${known.join(', ')}, got ${show(chosen[wrong])}`,
    );
  }
  if (chosen.filter((name: string) => name.startsWith('draft-')).length > 1) {
    throw reader.fail('OPTION_INVALID', 'headers', 'must name one draft at most: all of them use RateLimit-Policy');
  }
}
