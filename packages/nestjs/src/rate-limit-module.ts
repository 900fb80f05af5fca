import { Module, type DynamicModule, type FactoryProvider, type ModuleMetadata, type Provider } from '@nestjs/common';
import {
  ApplicationConfig,
  DiscoveryModule,
  DiscoveryService,
  HttpAdapterHost,
  MetadataScanner,
  ModuleRef,
  ModulesContainer,
} from '@nestjs/core';
import { ConfigError, type HttpRequest, type MaybePromise } from '@sluice/core';

import { Handlers } from './handlers.js';
import { Platform } from './platform.js';
import { RateLimitFilter } from './rate-limit-filter.js';
import { AuthenticatedRateLimitGuard, RateLimitGuard } from './rate-limit-guard.js';
import type { At, NestRequest, RateLimitModuleOptions } from './rate-limit-options.js';
import { RateLimits } from './rate-limits.js';
import { AUTHENTICATED_RATE_LIMITER, MODULE_OPTIONS, RATE_LIMITER, RATE_LIMITS } from './tokens.js';

/** Options that come of what is injected. */
export interface RateLimitModuleAsyncOptions<S extends HttpRequest = NestRequest> {
  readonly imports?: NonNullable<ModuleMetadata['imports']>;
  /** What the factory is given. */
  readonly inject?: NonNullable<FactoryProvider['inject']>;
  readonly useFactory: (...injected: never[]) => MaybePromise<RateLimitModuleOptions<S>>;
}

/**
 * Limits for a Nest application, imported once, in its root module. Provides `RateLimitGuard` and
 * `AuthenticatedRateLimitGuard`, which enforce them, and the limiters that `@InjectRateLimiter()` injects, in all
 * modules. A mistake in the options, or in those of a decorator, stops the start.
 */
// oxlint-disable-next-line typescript/no-extraneous-class -- a module of Nest is a class
export class RateLimitModule {
  static forRoot<S extends HttpRequest = NestRequest>(options: RateLimitModuleOptions<S> = {}): DynamicModule {
    return dynamicModule([], { provide: MODULE_OPTIONS, useValue: options });
  }

  static forRootAsync<S extends HttpRequest = NestRequest>({
    imports = [],
    inject = [],
    useFactory,
  }: RateLimitModuleAsyncOptions<S>): DynamicModule {
    return dynamicModule(imports, { provide: MODULE_OPTIONS, inject, useFactory } as FactoryProvider);
  }
}

Module({})(RateLimitModule);

const HANDLERS_PROVIDER: FactoryProvider<Handlers> = {
  provide: Handlers,
  inject: [ApplicationConfig, DiscoveryService, MetadataScanner, ModulesContainer, ModuleRef],
  useFactory: (
    config: ApplicationConfig,
    discovery: DiscoveryService,
    scanner: MetadataScanner,
    modules: ModulesContainer,
    moduleRef: ModuleRef,
  ) => {
    const guard = (at: At): unknown => moduleRef.get(at === 'entry' ? RateLimitGuard : AuthenticatedRateLimitGuard);
    return new Handlers({ config, discovery, scanner, modules, guard });
  },
};

const RATE_LIMITS_PROVIDER: FactoryProvider<RateLimits> = {
  provide: RATE_LIMITS,
  inject: [MODULE_OPTIONS, Handlers, HttpAdapterHost, ApplicationConfig, ModulesContainer],
  useFactory: (
    options: RateLimitModuleOptions<never>,
    handlers: Handlers,
    host: HttpAdapterHost,
    config: ApplicationConfig,
    modules: ModulesContainer,
  ) => {
    checkOnce(modules);
    const limits = new RateLimits(options, handlers, new Platform(host));
    // Nest asks the filter that came last first, and those of the application come later.
    config.addGlobalFilter(new RateLimitFilter(host));
    return limits;
  },
};

const SHARED = [
  guardProvider(RateLimitGuard),
  guardProvider(AuthenticatedRateLimitGuard),
  limiterProvider(RATE_LIMITER, 'entry'),
  limiterProvider(AUTHENTICATED_RATE_LIMITER, 'authenticated'),
];

function dynamicModule(imports: NonNullable<ModuleMetadata['imports']>, options: Provider): DynamicModule {
  return {
    module: RateLimitModule,
    global: true,
    imports: [DiscoveryModule, ...imports],
    providers: [options, HANDLERS_PROVIDER, RATE_LIMITS_PROVIDER, ...SHARED],
    exports: [RATE_LIMITS, ...SHARED.map(({ provide }) => provide)],
  };
}

function guardProvider(Guard: new (limits: RateLimits) => object): FactoryProvider {
  return { provide: Guard, inject: [RATE_LIMITS], useFactory: (limits: RateLimits) => new Guard(limits) };
}

function limiterProvider(provide: symbol, at: At): FactoryProvider {
  return { provide, inject: [RATE_LIMITS], useFactory: (limits: RateLimits) => limits.limiter(at) };
}

/** Guards and decorators are of one module: limits of a second one would be none. */
function checkOnce(modules: ModulesContainer): void {
  const count = [...modules.values()].filter(({ providers }) => providers.has(RATE_LIMITS)).length;
  if (count === 1) return;
  throw new ConfigError(
    'OPTION_INVALID',
    'imports',
    count,
    `RateLimitModule: must be imported once, in the root module, got ${count} of them`,
  );
}
