/// <reference types="reflect-metadata" />
import {
  applyDecorators,
  createParamDecorator,
  Inject,
  UseFilters,
  UseInterceptors,
  type ExecutionContext,
} from '@nestjs/common';
import type { Decision, HttpRequest } from '@sluice/http';

import { HoldingInterceptor, mayHoldPermits } from './holding-interceptor.js';
import type { GuardStage } from './guard-stage.js';
import { ModuleCheck } from './module-check.js';
import { MODULE } from './registry-token.js';
import type { Class } from './route-metadata.js';
import type { RateLimitOptions } from './options.js';

/** The token of the limiter that `@InjectRateLimiter()` injects, for `moduleRef.get` and for factories. */
export const RATE_LIMITER = Symbol.for(`the limiter of ${MODULE}`);

/** The token of the limiter that `@InjectRateLimiter('authenticated')` injects. */
export const AUTHENTICATED_RATE_LIMITER = Symbol.for(`the limiter for authenticated requests of ${MODULE}`);

/** What the decorators of a class or of a method say. */
export interface RateLimitMetadata {
  readonly limits: readonly RateLimitOptions<never>[];
  /** The names of each `@SkipRateLimit`. No names mean all limits. */
  readonly skips: readonly (readonly string[])[];
}

const METADATA_KEY = 'sluice:rate-limit';
const NO_METADATA: RateLimitMetadata = { limits: [], skips: [] };

/**
 * Limits a controller or a handler, in addition to the limits that it inherits. Several decorators apply in the order
 * in which they are written. Invalid options stop the start of the application.
 *
 * @example
 * ```ts
 * @RateLimit({ limit: 5, window: '15m' })
 * @Post('login')
 * login() {}
 * ```
 */
export function RateLimit(options: RateLimitOptions): ClassDecorator & MethodDecorator;
export function RateLimit<S extends HttpRequest>(options: RateLimitOptions<S>): ClassDecorator & MethodDecorator;
export function RateLimit(options: RateLimitOptions<never>): ClassDecorator & MethodDecorator {
  return applyDecorators(
    addMetadata(({ limits, skips }) => ({ limits: [options, ...limits], skips })),
    UseFilters(ModuleCheck),
    ...(mayHoldPermits(options) ? [UseInterceptors(HoldingInterceptor)] : []),
  );
}

/**
 * Frees a controller or a handler from limits that it inherits: from the tiers of these names, or from all of them.
 * Its own `@RateLimit` still applies.
 *
 * @example
 * ```ts
 * @SkipRateLimit()
 * @Get('health')
 * health() {}
 * ```
 */
export function SkipRateLimit(...names: readonly string[]): ClassDecorator & MethodDecorator {
  return addMetadata(({ limits, skips }) => ({ limits, skips: [names, ...skips] }));
}

/**
 * A parameter of a handler: the last decision about the request, undefined if no limit counted it.
 *
 * @example
 * ```ts
 * @Get('usage')
 * usage(@RateLimitDecision() decision: Decision | undefined) {}
 * ```
 */
export const RateLimitDecision: () => ParameterDecorator = createParamDecorator(
  (_data: unknown, context: ExecutionContext) =>
    context.switchToHttp().getRequest<{ rateLimit?: Decision }>().rateLimit,
);

/**
 * Injects the limiter of the module's limits: for services, WebSocket gateways, GraphQL resolvers and jobs.
 *
 * @param at which limits: those of `forRoot`, or those in its option `authenticated`
 * @example
 * ```ts
 * constructor(@InjectRateLimiter() private readonly limiter: Limiter<HttpRequest>) {}
 * ```
 */
export function InjectRateLimiter(at: GuardStage = 'entry'): ParameterDecorator & PropertyDecorator {
  return Inject(at === 'entry' ? RATE_LIMITER : AUTHENTICATED_RATE_LIMITER);
}

/** The metadata of a class and its base classes, the base first. */
export function metadataOfClass(target: Class): readonly RateLimitMetadata[] {
  const found: RateLimitMetadata[] = [];
  for (let each: unknown = target; typeof each === 'function'; each = Object.getPrototypeOf(each)) {
    const metadata = ownMetadata(each);
    if (metadata) found.unshift(metadata);
  }
  return found;
}

/** The metadata of a method. A method that overrides another does not inherit the decorators of that one. */
export function metadataOfMethod({ prototype }: Class, name: string): readonly RateLimitMetadata[] {
  let owner = prototype as object | null;
  while (owner && !Object.hasOwn(owner, name)) owner = Object.getPrototypeOf(owner) as object | null;
  const metadata = owner && ownMetadata(owner, name);
  return metadata ? [metadata] : [];
}

function addMetadata(change: (metadata: RateLimitMetadata) => RateLimitMetadata): ClassDecorator & MethodDecorator {
  // Stored under the method's name, because other decorators can replace its function.
  return (target: object, name?: string | symbol) => {
    Reflect.defineMetadata(METADATA_KEY, change(ownMetadata(target, name) ?? NO_METADATA), target, name!);
  };
}

function ownMetadata(target: object, name?: string | symbol): RateLimitMetadata | undefined {
  return Reflect.getOwnMetadata(METADATA_KEY, target, name!) as RateLimitMetadata | undefined;
}
