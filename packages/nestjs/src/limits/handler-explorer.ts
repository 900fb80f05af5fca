import { MetadataScanner, type ApplicationConfig, type DiscoveryService, type ModulesContainer } from '@nestjs/core';
import { ConfigError } from '@sluice/core';

import { metadataOfClass, metadataOfMethod, type RateLimitMetadata } from './rate-limit.decorator.js';
import { GUARD_NAMES, stageOf, type GuardStage } from './guard-stage.js';
import { guardsOf, hasRoute, prefixOf, type Class, type Handler, type Method } from './route-metadata.js';

export interface ExplorerOptions {
  readonly config: ApplicationConfig;
  readonly discovery: DiscoveryService;
  readonly modules: ModulesContainer;
  /** The guard that the application uses at a stage. Tests of an application can replace it. */
  readonly guardAt: (stage: GuardStage) => unknown;
}

/** A controller, with what all modules that declare it add. */
interface FoundController {
  readonly controller: Class;
  readonly instances: readonly Readonly<Record<string, unknown>>[];
  readonly prefixes: readonly string[];
}

/** Finds the handlers of an application, and the guards that run before them. */
export class HandlerExplorer {
  readonly #options: ExplorerOptions;
  readonly #scanner = new MetadataScanner();

  constructor(options: ExplorerOptions) {
    this.#options = options;
  }

  /** All handlers that Nest's router has a route to. */
  *handlers(): Iterable<Handler> {
    for (const { controller, instances, prefixes } of this.#controllers()) {
      for (const [name, method] of this.#methodsOf(controller)) {
        if (!hasRoute(method)) continue;
        const instanceMethods = [...new Set(instances.map((each) => each[name]).filter(isMethod))];
        yield { controller, name, method, instanceMethods, prefixes };
      }
    }
  }

  /** @throws ConfigError for a decorator or a guard of this package where no HTTP request can reach it */
  checkDecorators(): void {
    const controllers = this.#controllers().map(({ controller }) => controller);
    const providers = this.#options.discovery.getProviders().map(({ metatype }) => metatype as unknown);
    for (const each of new Set([...controllers, ...providers])) {
      if (!isClass(each)) continue;
      const methods = this.#methodsOf(each);
      for (const [name, method] of methods) {
        if (!hasRoute(method)) checkUndecorated(`${each.name}.${name}`, metadataOfMethod(each, name), method);
      }
      if (!methods.some(([, method]) => hasRoute(method))) checkUndecorated(each.name, metadataOfClass(each), each);
    }
  }

  /** The values that Nest has injected into controllers and providers, with the names of these. */
  *dependencies(): Iterable<{ readonly owner: string; readonly dependency: unknown }> {
    const { discovery } = this.#options;
    for (const wrapper of [...discovery.getControllers(), ...discovery.getProviders()]) {
      const properties = (wrapper.getPropertiesMetadata() ?? []).map((each) => each.wrapper);
      for (const each of [...(wrapper.getCtorMetadata() ?? []), ...properties]) {
        // Values behind a later scope are undefined here.
        yield { owner: String(wrapper.name), dependency: each.instance as unknown };
      }
    }
  }

  /** True if a guard of the stage runs before every function that Nest calls for the handler. */
  isGuarded(stage: GuardStage, { controller, method, instanceMethods }: Handler): boolean {
    const { config, guardAt } = this.#options;
    const isGuard = (each: unknown) => stageOf(each) === stage || each === guardAt(stage);
    const requestScoped = config.getGlobalRequestGuards().map(({ metatype }) => metatype);
    if ([...config.getGlobalGuards(), ...requestScoped].some(isGuard)) return true;
    return [method, ...instanceMethods].every((each) => guardsOf(controller, each).some(isGuard));
  }

  #controllers(): readonly FoundController[] {
    const { discovery, modules } = this.#options;
    const all = discovery.getControllers();
    return [...new Set(all.map(({ metatype }) => metatype as Class))].map((controller) => {
      const wrappers = all.filter(({ metatype }) => metatype === controller);
      const instances = wrappers.map(({ instance }) => Object(instance) as Readonly<Record<string, unknown>>);
      const prefixes = wrappers.map(({ host }) => prefixOf(host?.metatype, modules.applicationId));
      return { controller, instances, prefixes: [...new Set(prefixes)] };
    });
  }

  #methodsOf({ prototype }: Class): readonly (readonly [name: string, method: Method])[] {
    const methods = prototype as Readonly<Record<string, Method>>;
    return this.#scanner.getAllMethodNames(methods).map((name) => [name, methods[name]!]);
  }
}

function isMethod(value: unknown): value is Method {
  return typeof value === 'function';
}

function isClass(value: unknown): value is Class {
  return typeof value === 'function' && typeof value.prototype === 'object' && value.prototype !== null;
}

/** A decorator that limits nothing would look like a limit, so it is an error. */
function checkUndecorated(place: string, metadata: readonly RateLimitMetadata[], target: Class | Method): void {
  if (metadata.some(({ limits }) => limits.length > 0)) throw unreachable(place, '@RateLimit');
  const [stage] = guardsOf(target).flatMap((guard) => stageOf(guard) ?? []);
  if (stage) throw unreachable(place, GUARD_NAMES[stage]);
}

function unreachable(place: string, name: string): ConfigError {
  return new ConfigError(
    'OPTION_INVALID',
    name,
    place,
    `${place}: ${name} works only on a controller or on a handler with a route. Elsewhere inject the limiter with @InjectRateLimiter() and call consume`,
  );
}
