import type { GateOptions, HttpRequest } from '@sluice/http';
import {
  ANY,
  GATE_OPTIONS,
  INHERITED_OPTIONS,
  isLimiter,
  OptionReader,
  type OptionRows,
  peerOption,
  type GatedLimiterOptions,
  type SharedLimiterOptions,
} from '@sluice/http/adapter';

import type { GuardStage } from './guard-stage.js';

/** What requests of Express and of Fastify have in common. Annotate the parameter of a function to read more. */
export interface NestRequest extends HttpRequest {
  readonly url?: string;
  readonly params?: unknown;
  readonly body?: unknown;
}

/**
 * The options of one `@RateLimit`: those of a limiter and of its gate, or `{ limiter, ... }` with a limiter that you
 * share. `store`, `prefix`, `secret`, `partition`, `onStoreFailure`, `share`, `denyCache`, `onNotice`, `headers`, `body` and `shed` are
 * inherited from the module. A tier in short form is named by its route.
 */
export type RateLimitOptions<S extends HttpRequest = NestRequest> = GatedLimiterOptions<S> & {
  /**
   * When the limit is checked: `'entry'` by `RateLimitGuard`, `'authenticated'` by `AuthenticatedRateLimitGuard`.
   *
   * @default 'entry'
   */
  at?: GuardStage;
  /**
   * Replaces inherited limits with the same `at`: on a controller the module's limits, on a handler also the
   * controller's. Otherwise the limit is added to them.
   *
   * @default false
   */
  override?: boolean;
};

/**
 * The options of `forRoot`: limits for all guarded handlers, and what decorated limits inherit. Without limits here,
 * only decorated controllers and handlers are limited.
 */
export type RateLimitModuleOptions<S extends HttpRequest = NestRequest> = (
  | GatedLimiterOptions<S>
  | InheritedOptions<S>
) & {
  /** More limits for all handlers, which `AuthenticatedRateLimitGuard` enforces. They inherit like decorated limits. */
  authenticated?: GatedLimiterOptions<S>;
};

type InheritedOptions<S extends HttpRequest> = SharedLimiterOptions<S> &
  Pick<GateOptions<S>, 'headers' | 'body' | 'shed'>;

/** The options beside those of a tier. A tier reports the others. */
const NON_TIER_OPTIONS: readonly string[] = [...INHERITED_OPTIONS, ...GATE_OPTIONS, 'tiers', 'plans', 'limiter'];

const NO_ON_DENIED = 'is not an option in Nest: catch RateLimitException in an exception filter';

/**
 * A reader of an object of options. The limiter reports options that it does not know.
 *
 * @param place the name of the object: `options`, or the option that holds it
 * @throws ConfigError if it is not an object of options
 */
export function readOptions(owner: string, place: string, options: unknown): OptionReader {
  const isObject = typeof options === 'object' && options !== null && !Array.isArray(options);
  if (!isObject || isLimiter(options)) {
    const rule = isObject ? 'must be an object that holds the limiter: { limiter }' : 'must be an object';
    throw new OptionReader(owner, { [place]: options }, [place]).fail('OPTION_INVALID', place, rule);
  }
  const reader = new OptionReader(owner, options, Object.keys(options), place === 'options' ? '' : `${place}.`);
  if (reader.has('onDenied')) throw reader.fail('OPTION_INVALID', 'onDenied', NO_ON_DENIED);
  for (const name of Object.keys(options)) {
    const rule = peerOption(name, ['onDenied']) ? NO_ON_DENIED : peerOption(name, NON_TIER_OPTIONS);
    if (rule && reader.has(name)) throw reader.fail('OPTION_UNKNOWN', name, rule);
  }
  return reader;
}

/** Checks the options of the module, except those of its limits. @throws ConfigError */
export function checkModuleOptions(options: RateLimitModuleOptions<never>): void {
  checkModuleLimits('options', options);
  if (options.authenticated !== undefined) checkModuleLimits('authenticated', options.authenticated);
}

function checkModuleLimits(place: string, options: unknown): void {
  const reader = readOptions('RateLimitModule', place, options);
  const name = ['at', 'override'].find((each) => reader.has(each));
  if (name) throw reader.fail('OPTION_UNKNOWN', name, 'is not an option here: only @RateLimit has it');
}

export const ASYNC_ROWS = {
  imports: ANY,
  inject: ANY,
  useFactory: { is: 'function', words: 'a function that returns the options', required: true },
} as const satisfies OptionRows;

/** Checks the options of `forRootAsync`. @throws ConfigError */
export function checkAsyncOptions(options: object): void {
  new OptionReader('RateLimitModule.forRootAsync', Object(options) as object, ASYNC_ROWS).read(ASYNC_ROWS);
}
