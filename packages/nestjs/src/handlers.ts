import type { ApplicationConfig, DiscoveryService, MetadataScanner, ModulesContainer } from '@nestjs/core';
import { ConfigError } from '@sluice/core';

import { declaredOf, declaredOfMethod, type Declared } from './declared.js';
import { GUARD_NAMES, placeOf } from './guard-place.js';
import type { Class, Handler, Method } from './handler.js';
import type { At } from './rate-limit-options.js';
import { guardsOf, hasRoute, prefixOf } from './route.js';

export interface Discovered {
  readonly config: ApplicationConfig;
  readonly discovery: DiscoveryService;
  readonly scanner: MetadataScanner;
  readonly modules: ModulesContainer;
  /** The guard that the application has for the class of this package: another one in its tests. */
  readonly guard: (at: At) => unknown;
}

/** A controller, in all modules that have it. */
interface Found {
  readonly controller: Class;
  readonly instances: readonly Readonly<Record<string, unknown>>[];
  readonly prefixes: readonly string[];
}

/** The handlers of an application, and the guards that stand before them. */
export class Handlers {
  readonly #discovered: Discovered;

  constructor(discovered: Discovered) {
    this.#discovered = discovered;
  }

  /** Handlers that Nest's router has a route to. */
  *withRoutes(): Iterable<Handler> {
    for (const { controller, instances, prefixes } of this.#controllers()) {
      for (const [name, method] of this.#methodsOf(controller)) {
        const called = [...new Set(instances.map((each) => each[name]).filter(isMethod))];
        if (hasRoute(method)) yield { controller, name, method, called, prefixes };
      }
    }
  }

  /** @throws ConfigError for a limit that no request of HTTP can ever come to, and for such a guard */
  checkDeclared(): void {
    const controllers = this.#controllers().map(({ controller }) => controller);
    const providers = this.#discovered.discovery.getProviders().map(({ metatype }) => metatype as unknown);
    for (const each of new Set([...controllers, ...providers])) {
      if (!isClass(each)) continue;
      const methods = this.#methodsOf(each);
      for (const [name, method] of methods) {
        if (!hasRoute(method)) checkUnlimited(`${each.name}.${name}`, declaredOfMethod(each, name), method);
      }
      if (!methods.some(([, method]) => hasRoute(method))) checkUnlimited(each.name, declaredOf(each), each);
    }
  }

  /** True where Nest has a guard look at all that it calls for a handler. */
  isGuarded(at: At, { controller, method, called }: Handler): boolean {
    const { config, guard } = this.#discovered;
    const isGuard = (each: unknown) => placeOf(each) === at || each === guard(at);
    const ofRequests = config.getGlobalRequestGuards().map(({ metatype }) => metatype);
    if ([...config.getGlobalGuards(), ...ofRequests].some(isGuard)) return true;
    return [method, ...called].every((each) => guardsOf(controller, each).some(isGuard));
  }

  #controllers(): readonly Found[] {
    const { discovery, modules } = this.#discovered;
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
    return this.#discovered.scanner.getAllMethodNames(methods).map((name) => [name, methods[name]!]);
  }
}

function isMethod(value: unknown): value is Method {
  return typeof value === 'function';
}

function isClass(value: unknown): value is Class {
  return typeof value === 'function' && typeof value.prototype === 'object' && value.prototype !== null;
}

/** What looks like a limit, and is none, is a mistake. */
function checkUnlimited(place: string, declared: readonly Declared[], target: Class | Method): void {
  if (declared.some(({ limits }) => limits.length > 0)) throw unreachable(place, 'RateLimit');
  const [at] = guardsOf(target).flatMap((guard) => placeOf(guard) ?? []);
  if (at) throw unreachable(place, GUARD_NAMES[at]);
}

function unreachable(place: string, what: string): ConfigError {
  return new ConfigError(
    'OPTION_INVALID',
    what,
    place,
    `${place}: ${what} must stand on a controller or on a handler with a route: elsewhere have a limiter injected, @InjectRateLimiter(), and call consume`,
  );
}
