import type { OnApplicationShutdown, OnModuleInit } from '@nestjs/common';
import {
  createLimiter,
  memoryStore,
  UsageError,
  type Gate,
  type HttpRequest,
  type Limiter,
  type MemoryStore,
} from '@sluice/core';
import { withErrorContext } from '@sluice/core/adapter';

import { ByHandler } from './by-handler.js';
import { Gates } from './gates.js';
import type { Class, Handler, Method } from './handler.js';
import type { Handlers } from './handlers.js';
import type { Level } from './level.js';
import { Levels } from './levels.js';
import { checkModuleOptions } from './module-options.js';
import type { Platform } from './platform.js';
import { hasRoute } from './route.js';
import { unguarded } from './unguarded.js';
import type { At, RateLimitModuleOptions } from './rate-limit-options.js';

type GatesAt = Readonly<Record<At, readonly Gate<HttpRequest>[]>>;

/** The limits of every handler of an application, made when it starts. */
export class RateLimits implements OnModuleInit, OnApplicationShutdown {
  readonly platform: Platform;
  readonly #handlers: Handlers;
  readonly #ownStore: MemoryStore | undefined;
  readonly #levels: Levels;
  readonly #gates = new Gates();
  readonly #ofModule: GatesAt;
  readonly #byHandler = new ByHandler<GatesAt>();

  /** @throws ConfigError */
  constructor(options: RateLimitModuleOptions<never>, handlers: Handlers, platform: Platform) {
    checkModuleOptions(options);
    this.platform = platform;
    this.#handlers = handlers;
    this.#ownStore = options.store === undefined ? memoryStore() : undefined;
    [this.#levels, this.#ofModule] = withErrorContext('RateLimitModule', () => {
      const levels = new Levels(options, this.#ownStore);
      return [levels, this.#gatesOf(levels.ofModule)] as const;
    });
  }

  /** The limiter of the module's own limits; where it has none, one that says so to whoever asks it. */
  limiter(at: At): Limiter<HttpRequest> {
    return this.#ofModule[at][0]?.limiter ?? missingLimiter(at);
  }

  /** @throws ConfigError that names controller, handler and option */
  onModuleInit(): void {
    this.#handlers.checkDeclared();
    const handlers = [...this.#handlers.withRoutes()];
    for (const handler of handlers) this.#add(handler);
    for (const { at } of this.#levels.ofModule)
      withErrorContext('RateLimitModule', () => this.#checkGuarded(at, handlers));
    this.platform.warnOfTrust();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.#gates.close();
    await this.#ownStore?.close();
  }

  /**
   * What a request to a handler has to pass at a guard.
   *
   * @param called what Nest calls for the handler
   * @throws UsageError
   */
  gates(at: At, controller: Class, called: Method): readonly Gate<HttpRequest>[] {
    const known = this.#byHandler.get(controller, called) ?? this.#addLate(controller, called);
    return known[at];
  }

  /** A controller that was not there at the start is limited like others. */
  #addLate(controller: Class, called: Method): GatesAt {
    if (this.#byHandler.has(controller) && !hasRoute(called)) throw replaced(controller);
    return this.#add({ controller, name: called.name, method: called, called: [], prefixes: [''] });
  }

  #add(handler: Handler): GatesAt {
    const gates = withErrorContext(`${handler.controller.name}.${handler.name}`, () => {
      const levels = this.#levels.of(handler);
      const stray = levels.find(({ at, decorated }) => decorated && !this.#handlers.isGuarded(at, handler));
      if (stray) throw unguarded(stray.at);
      return this.#gatesOf(levels);
    });
    this.#byHandler.set(handler, gates);
    return gates;
  }

  #gatesOf(levels: readonly Level[]): GatesAt {
    const gatesAt = (at: At) => this.#gates.of(levels.filter((level) => level.at === at));
    return { entry: gatesAt('entry'), authenticated: gatesAt('authenticated') };
  }

  /** The module's limits hold where the guard is used: nowhere is a mistake, unless there is nothing to limit. */
  #checkGuarded(at: At, handlers: readonly Handler[]): void {
    const limited = handlers.filter(({ controller, method }) => this.gates(at, controller, method).length > 0);
    if (limited.length > 0 && !limited.some((handler) => this.#handlers.isGuarded(at, handler))) throw unguarded(at);
  }
}

/** Nobody can tell what it stands for: to let it pass without limits would be worse. */
function replaced({ name }: Class): UsageError {
  return new UsageError(
    'USAGE_INVALID',
    `${name}: a handler must be a method of its class, got another function on the object, which has no limits and no route: replace it by a decorator, or bind it`,
  );
}

function missingLimiter(at: At): Limiter<HttpRequest> {
  const whose = at === 'entry' ? 'forRoot has no limits' : 'forRoot has no limits in the option authenticated';
  return createLimiter<HttpRequest>({
    tiers: () => {
      throw new UsageError('USAGE_INVALID', `RateLimitModule: ${whose}, so that there is no limiter to inject`);
    },
  });
}
