import { Module, type DynamicModule, type FactoryProvider, type ModuleMetadata, type Provider } from '@nestjs/common';
import {
  ApplicationConfig,
  DiscoveryModule,
  DiscoveryService,
  HttpAdapterHost,
  ModuleRef,
  ModulesContainer,
} from '@nestjs/core';
import { ConfigError, type HttpRequest, type MaybePromise } from '@sluice/http';

import { HoldingInterceptor } from './limits/holding-interceptor.js';
import type { GuardStage } from './limits/guard-stage.js';
import { HandlerExplorer } from './limits/handler-explorer.js';
import { LimitRegistry } from './limits/limit-registry.js';
import { LIMIT_REGISTRY } from './limits/registry-token.js';
import { checkAsyncOptions, type NestRequest, type RateLimitModuleOptions } from './limits/options.js';
import { Platform } from './limits/platform.js';
import { AUTHENTICATED_RATE_LIMITER, RATE_LIMITER } from './limits/rate-limit.decorator.js';
import { RateLimitFilter } from './rate-limit.filter.js';
import { AuthenticatedRateLimitGuard, RateLimitGuard } from './rate-limit.guard.js';

/** The options of `forRootAsync`. */
export interface RateLimitModuleAsyncOptions<S extends HttpRequest = NestRequest> {
  /** Modules that export the providers in `inject`. */
  readonly imports?: NonNullable<ModuleMetadata['imports']>;
  /** Tokens of the arguments of `useFactory`. */
  readonly inject?: NonNullable<FactoryProvider['inject']>;
  /** Returns the options of `forRoot`. */
  readonly useFactory: (...injected: never[]) => MaybePromise<RateLimitModuleOptions<S>>;
}

/**
 * Limits for a Nest application. Import it once, in the root module. It provides `RateLimitGuard`,
 * `AuthenticatedRateLimitGuard` and the injectable limiters in all modules. Invalid options, also of decorators, stop
 * the start of the application with a ConfigError.
 *
 * @example
 * ```ts
 * imports: [RateLimitModule.forRoot({ limit: 100, window: '1m' })]
 * ```
 */
// oxlint-disable-next-line typescript/no-extraneous-class -- a module of Nest is a class
export class RateLimitModule {
  // The first signature tells functions within a value, such as those of fairBy, what a request is.
  static forRoot(...given: [options?: RateLimitModuleOptions]): DynamicModule;
  static forRoot<S extends HttpRequest>(...given: [options?: RateLimitModuleOptions<S>]): DynamicModule;
  static forRoot(...given: [options?: unknown]): DynamicModule {
    // Decorators need no options. An undefined argument is a mistake, such as a missing setting.
    const options = given.length === 0 ? {} : given[0];
    return dynamicModule([], { provide: MODULE_OPTIONS, useValue: options });
  }

  /** @throws ConfigError OPTION_INVALID, OPTION_UNKNOWN */
  static forRootAsync<S extends HttpRequest = NestRequest>(options: RateLimitModuleAsyncOptions<S>): DynamicModule {
    checkAsyncOptions(options);
    const { imports = [], inject = [], useFactory } = options;
    return dynamicModule(imports, { provide: MODULE_OPTIONS, inject, useFactory } as FactoryProvider);
  }
}

const MODULE_OPTIONS = Symbol.for('sluice.nestjs.options');

/**
 * Stops the start where only the class is imported, which has no options and so no limits. Beside `forRoot` in another
 * module the class does no harm. Nest adds this provider to the module of `forRoot` too.
 */
const OPTIONS_CHECK: FactoryProvider = {
  provide: Symbol.for('sluice.nestjs.options-check'),
  inject: [ModulesContainer],
  useFactory: (modules: ModulesContainer) => {
    if ([...modules.values()].some(({ providers }) => providers.has(MODULE_OPTIONS))) return;
    const rule = "is imported without options: write RateLimitModule.forRoot({ limit: 100, window: '1m' })";
    throw new ConfigError('OPTION_INVALID', 'imports', undefined, `RateLimitModule: the class ${rule}`);
  },
};

const REGISTRY_PROVIDER: FactoryProvider<LimitRegistry> = {
  provide: LIMIT_REGISTRY,
  inject: [MODULE_OPTIONS, ApplicationConfig, DiscoveryService, ModulesContainer, HttpAdapterHost, ModuleRef],
  useFactory: (
    options: RateLimitModuleOptions<never>,
    config: ApplicationConfig,
    discovery: DiscoveryService,
    modules: ModulesContainer,
    host: HttpAdapterHost,
    moduleRef: ModuleRef,
  ) => {
    checkImportedOnce(modules);
    const guards = { entry: RateLimitGuard, authenticated: AuthenticatedRateLimitGuard };
    const guardAt = (stage: GuardStage): unknown => moduleRef.get(guards[stage]);
    const explorer = new HandlerExplorer({ config, discovery, modules, guardAt });
    const registry = new LimitRegistry(options, explorer, new Platform(host));
    // Nest tries the filter added last first, and adds those of the application later.
    config.addGlobalFilter(new RateLimitFilter(host));
    if (registry.mayHold) config.addGlobalInterceptor(new HoldingInterceptor());
    return registry;
  },
};

const EXPORTED = [
  guardProvider(RateLimitGuard),
  guardProvider(AuthenticatedRateLimitGuard),
  limiterProvider(RATE_LIMITER, 'entry'),
  limiterProvider(AUTHENTICATED_RATE_LIMITER, 'authenticated'),
];

const EXPORTED_TOKENS = EXPORTED.map(({ provide }) => provide);

// Without `forRoot` the error of Nest for these providers has the name of what is missing.
Module({ providers: [OPTIONS_CHECK, ...EXPORTED], exports: EXPORTED_TOKENS })(RateLimitModule);

function dynamicModule(imports: NonNullable<ModuleMetadata['imports']>, options: Provider): DynamicModule {
  return {
    module: RateLimitModule,
    global: true,
    imports: [DiscoveryModule, ...imports],
    providers: [options, REGISTRY_PROVIDER, ...EXPORTED],
    exports: [LIMIT_REGISTRY, ...EXPORTED_TOKENS],
  };
}

function guardProvider(Guard: new (registry: LimitRegistry) => object): FactoryProvider {
  return { provide: Guard, inject: [LIMIT_REGISTRY], useFactory: (registry: LimitRegistry) => new Guard(registry) };
}

function limiterProvider(provide: symbol, stage: GuardStage): FactoryProvider {
  return { provide, inject: [LIMIT_REGISTRY], useFactory: (registry: LimitRegistry) => registry.limiter(stage) };
}

/** Guards and decorators use one registry, so a second module would have no effect. */
function checkImportedOnce(modules: ModulesContainer): void {
  const count = [...modules.values()].filter(({ providers }) => providers.has(LIMIT_REGISTRY)).length;
  if (count === 1) return;
  throw new ConfigError(
    'OPTION_INVALID',
    'imports',
    count,
    `RateLimitModule: must be imported once, in the root module, got ${count} imports with different options`,
  );
}
