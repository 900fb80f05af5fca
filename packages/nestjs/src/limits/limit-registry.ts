// limits/ knows the limits of a Nest application: its decorators, the options of its module, and which guard decides
// what for which handler. Metadata of handlers and options enter, and gates leave. It imports @sluice/core and
// @sluice/http.
import type { OnApplicationShutdown, OnModuleInit } from '@nestjs/common';
import {
  ConfigError,
  createGate,
  createLimiter,
  memoryStore,
  UsageError,
  type Gate,
  type HttpRequest,
  type Limiter,
  type MemoryStore,
} from '@sluice/http';
import { mayHold, withErrorContext } from '@sluice/http/adapter';

import { checkModuleOptions, type RateLimitModuleOptions } from './options.js';
import { trustOf, type Platform } from './platform.js';
import { notGuarded, type GuardStage } from './guard-stage.js';
import type { HandlerExplorer } from './handler-explorer.js';
import { HandlerMap } from './handler-map.js';
import { LimitResolver } from './limit-resolver.js';
import { gateOptionsOf, groupLimits, type Limit } from './limit.js';
import { hasRoute, type Class, type Handler, type Method } from './route-metadata.js';

export type Gates = readonly Gate<HttpRequest>[];
type StageGates = Readonly<Record<GuardStage, Gates>>;

/** The gates of all handlers of an application, created when it starts. */
export class LimitRegistry implements OnModuleInit, OnApplicationShutdown {
  readonly platform: Platform;
  readonly #explorer: HandlerExplorer;
  readonly #ownStore: MemoryStore | undefined;
  readonly #resolver: LimitResolver;
  readonly #gates = new GateRegistry();
  readonly #moduleGates: StageGates;
  readonly #handlerGates = new HandlerMap<StageGates>();
  /** What is injected for the limits that the module does not have. */
  readonly #missingLimiters = new Map<Limiter<HttpRequest>, GuardStage>();

  constructor(options: RateLimitModuleOptions<never>, explorer: HandlerExplorer, platform: Platform) {
    checkModuleOptions(options);
    this.platform = platform;
    this.#explorer = explorer;
    this.#ownStore = options.store === undefined ? memoryStore() : undefined;
    [this.#resolver, this.#moduleGates] = withErrorContext('RateLimitModule', () => {
      const resolver = new LimitResolver(options, this.#ownStore);
      return [resolver, this.#gatesOf(resolver.moduleLimits)] as const;
    });
  }

  /** True if a limit of the module may hold permits. */
  get mayHold(): boolean {
    return Object.values(this.#moduleGates).some((gates) => gates.some(({ limiter }) => mayHold(limiter)));
  }

  /** The limiter of the module's limits at a stage. Without such limits, every call of it is rejected. */
  limiter(stage: GuardStage): Limiter<HttpRequest> {
    const [gate] = this.#moduleGates[stage];
    if (gate) return gate.limiter;
    const missing = missingLimiter(stage);
    this.#missingLimiters.set(missing, stage);
    return missing;
  }

  /** @throws ConfigError that names controller, handler and option */
  onModuleInit(): void {
    this.#explorer.checkDecorators();
    this.#checkInjected();
    const handlers = [...this.#explorer.handlers()];
    for (const handler of handlers) this.#add(handler);
    for (const { stage } of this.#resolver.moduleLimits) {
      withErrorContext('RateLimitModule', () => this.#checkGuarded(stage, handlers));
    }
    this.platform.warnOfTrust();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.#gates.close();
    await this.#ownStore?.close();
  }

  /**
   * The gates that a request to a handler passes at a stage.
   *
   * @param called the function that Nest calls for the handler
   * @throws UsageError if the function cannot be matched to a handler
   */
  gates(stage: GuardStage, controller: Class, called: Method): Gates {
    const gates = this.#handlerGates.get(controller, called) ?? this.#addLate(controller, called);
    return gates[stage];
  }

  /** Adds a controller that was loaded after the start. */
  #addLate(controller: Class, called: Method): StageGates {
    if (this.#handlerGates.has(controller) && !hasRoute(called)) throw unknownHandler(controller);
    return this.#add({ controller, name: called.name, method: called, instanceMethods: [], prefixes: [''] });
  }

  #add(handler: Handler): StageGates {
    const gates = withErrorContext(`${handler.controller.name}.${handler.name}`, () => {
      const limits = this.#resolver.resolve(handler);
      const unenforced = limits.find((limit) => limit.isDecorated && !this.#explorer.isGuarded(limit.stage, handler));
      if (unenforced) throw notGuarded(unenforced.stage);
      return this.#gatesOf(limits);
    });
    this.#handlerGates.set(handler, gates);
    return gates;
  }

  #gatesOf(limits: readonly Limit[]): StageGates {
    const gatesAt = (stage: GuardStage) => this.#gates.get(limits.filter((limit) => limit.stage === stage));
    return { entry: gatesAt('entry'), authenticated: gatesAt('authenticated') };
  }

  /** A limiter that is injected must have limits. Code that asks for one later gets an error from its calls. */
  #checkInjected(): void {
    for (const { owner, dependency } of this.#explorer.dependencies()) {
      const stage = this.#missingLimiters.get(dependency as Limiter<HttpRequest>);
      if (stage) throw new ConfigError('OPTION_INVALID', 'inject', owner, `${owner}: ${noLimits(stage)}`);
    }
  }

  /** At least one limited handler must have the guard, unless no handler is limited. */
  #checkGuarded(stage: GuardStage, handlers: readonly Handler[]): void {
    const limited = handlers.filter(({ controller, method }) => this.gates(stage, controller, method).length > 0);
    if (limited.length > 0 && !limited.some((handler) => this.#explorer.isGuarded(stage, handler))) {
      throw notGuarded(stage);
    }
  }
}

/** Creates gates. Handlers with the same limits share them. */
class GateRegistry {
  readonly #entries: { limits: readonly Limit[]; gate: Gate<HttpRequest> }[] = [];

  get(limits: readonly Limit[]): Gates {
    return groupLimits(limits).map((group) => this.#gateOf(group));
  }

  /** Closes the limiters that were created here. Limiters of the application stay open. */
  async close(): Promise<void> {
    const own = this.#entries.filter(({ limits }) => limits[0]!.options['limiter'] === undefined);
    await Promise.all(own.map(({ gate }) => gate.limiter.close()));
  }

  #gateOf(group: readonly Limit[]): Gate<HttpRequest> {
    const entry = this.#entries.find(({ limits }) => isSame(limits, group));
    if (entry) return entry.gate;
    const gate = createGate<HttpRequest>(gateOptionsOf(group), { trust: trustOf });
    this.#entries.push({ limits: group, gate });
    return gate;
  }
}

function isSame(one: readonly Limit[], other: readonly Limit[]): boolean {
  return one.length === other.length && one.every((limit, index) => limit === other[index]);
}

/** The limits of such a function are unknown. To admit its requests without limits would be worse than an error. */
function unknownHandler({ name }: Class): UsageError {
  return new UsageError(
    'USAGE_INVALID',
    `${name}: a handler must be a method of its class, got another function of the instance without the metadata of a route. Replace the method with a decorator, or bind it`,
  );
}

function missingLimiter(stage: GuardStage): Limiter<HttpRequest> {
  return createLimiter<HttpRequest>({
    tiers: () => {
      throw new UsageError('USAGE_INVALID', `RateLimitModule: ${noLimits(stage)}`);
    },
  });
}

function noLimits(stage: GuardStage): string {
  const place = stage === 'entry' ? 'forRoot' : 'the option authenticated of forRoot';
  return `${place} must have limits before their limiter can be injected, got none`;
}
