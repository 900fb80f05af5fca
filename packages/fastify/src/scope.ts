import { memoryStore, type Limiter, type MemoryStore } from '@sluice/core';
import { inheritOptions, isLimiter, type INHERITED_OPTIONS } from '@sluice/http/adapter';
import type { FastifyInstance, FastifyRequest } from 'fastify';

import type { HookOptions } from './fastify-gate.js';
import { HeldRoutes } from './held-routes.js';
import { rateLimitHook, type HookName, type RateLimitHook } from './rate-limit-hook.js';
import { RouteLimits } from './route-limits.js';

/** The options of a plugin that other limits of its scope inherit. */
export type InheritedOptions = Partial<Pick<HookOptions, (typeof INHERITED_OPTIONS)[number]>>;

/** Children of an instance inherit its scope. A registered symbol, so that all copies of this package find it. */
const SCOPE = Symbol.for('sluice.fastify.scope');

type ScopedInstance = FastifyInstance & { [SCOPE]?: Scope };

/** The nearest scope of an instance: a child's own before its parent's. Undefined outside the scope of any plugin. */
export function scopeOf(app: FastifyInstance): Scope | undefined {
  return (app as ScopedInstance)[SCOPE];
}

export function setScope(app: FastifyInstance, scope: Scope): void {
  (app as ScopedInstance)[SCOPE] = scope;
}

/** The part of an application that a plugin was registered in, with its limits and those of its routes. */
export class Scope {
  readonly routes: RouteLimits;
  readonly heldRoutes = new HeldRoutes();
  readonly #inherited: InheritedOptions;
  /** Shared by all limits without a store, so that tier names are unique as they are in Redis. */
  #ownStore: MemoryStore | undefined;
  /** The limiters to close with the application. */
  readonly #ownLimiters: Limiter<FastifyRequest>[] = [];
  #unnamedHooks = 0;
  #hasLimits = false;

  /** @param hookName for routes without their own `hook` */
  constructor(inherited: InheritedOptions, hookName: HookName) {
    this.#inherited = inherited;
    this.routes = new RouteLimits(hookName, (options) => this.#create(options, () => undefined));
  }

  /** The hook of the plugin itself. @throws ConfigError */
  pluginHook(options: HookOptions): RateLimitHook {
    return this.#added(this.#create(options, () => 'default'));
  }

  /** A hook of `app.rateLimit(options)`. @throws ConfigError */
  hook(options: HookOptions): RateLimitHook {
    this.#hasLimits = true;
    const hook = this.#create(options, () => {
      this.#unnamedHooks += 1;
      return `hook ${this.#unnamedHooks}`;
    });
    return this.#added(hook);
  }

  /** True if `app.rateLimit(options)` was called. */
  get hasLimits(): boolean {
    return this.#hasLimits;
  }

  async close(): Promise<void> {
    await Promise.all(this.#ownLimiters.map((limiter) => limiter.close()));
    this.#ownStore?.close();
  }

  #added(hook: RateLimitHook): RateLimitHook {
    this.heldRoutes.addHook(hook);
    return hook;
  }

  /**
   * A hook with its own options and the inherited ones.
   *
   * @param defaultName names a tier in short form without a name, in the store of the scope
   */
  #create(options: HookOptions, defaultName: () => string | undefined): RateLimitHook {
    // The gate throws the error.
    if (typeof options !== 'object' || options === null || isLimiter(options)) return rateLimitHook(options);
    const merged = inheritOptions(options, this.#inherited);
    if (merged.limiter !== undefined) return rateLimitHook(merged);
    if (merged.store !== undefined) return this.#createOwn(merged);
    this.#ownStore ??= memoryStore();
    const name = merged.name ?? (merged.tiers === undefined ? defaultName() : undefined);
    return this.#createOwn({ ...merged, store: this.#ownStore, ...(name !== undefined && { name }) } as HookOptions);
  }

  #createOwn(options: HookOptions): RateLimitHook {
    const hook = rateLimitHook(options);
    this.#ownLimiters.push(hook.limiter);
    return hook;
  }
}
