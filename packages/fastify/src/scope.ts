import { memoryStore, type Limiter, type MemoryStore } from '@sluice/core';
import { inheritOptions, isLimiter, type INHERITED_OPTIONS } from '@sluice/core/adapter';
import type { FastifyRequest } from 'fastify';

import type { HookName } from './hook-name.js';
import { rateLimitHook, type RateLimitHook } from './rate-limit-hook.js';
import type { HookOptions } from './reply-gate.js';
import { RouteLimits } from './route-limits.js';

/** Of the options of a plugin those that limits of its scope have too. */
export type Defaults = Partial<Pick<HookOptions, (typeof INHERITED_OPTIONS)[number]>>;

/** The part of an application in which a plugin was registered: its limits, and those of its routes. */
export class Scope {
  readonly routes: RouteLimits;
  readonly #defaults: Defaults;
  /** For all limits that are given none, so that names mean here what they mean in a store that processes share. */
  #ownStore: MemoryStore | undefined;
  /** The limiters that were made here. */
  readonly #limiters: Limiter<FastifyRequest>[] = [];
  #unnamed = 0;

  /** @param hook of routes that do not say */
  constructor(defaults: Defaults, hook: HookName) {
    this.#defaults = defaults;
    this.routes = new RouteLimits(hook, (options) => this.#make(options, () => undefined));
  }

  /** The hook of the plugin itself. @throws ConfigError */
  ofPlugin(options: HookOptions): RateLimitHook {
    return this.#make(options, () => 'default');
  }

  /** A hook that is put somewhere by hand. @throws ConfigError */
  ofHook(options: HookOptions | Limiter<FastifyRequest>): RateLimitHook {
    return this.#make(options, () => {
      this.#unnamed += 1;
      return `hook ${this.#unnamed}`;
    });
  }

  /** Ends what was made here. */
  async close(): Promise<void> {
    await Promise.all(this.#limiters.map((limiter) => limiter.close()));
    this.#ownStore?.close();
  }

  /**
   * A hook with the options given, and the scope's for those that are not.
   *
   * @param nameTier names a limit in short form where nobody else names any: in the scope's own store
   */
  #make(options: HookOptions | Limiter<FastifyRequest>, nameTier: () => string | undefined): RateLimitHook {
    // What cannot be options is for the gate to refuse.
    if (typeof options !== 'object' || options === null) return rateLimitHook(options);
    const given: HookOptions = isLimiter<FastifyRequest>(options) ? { limiter: options } : options;
    const merged = inheritOptions(given, this.#defaults);
    if (merged.limiter !== undefined) return rateLimitHook(merged);
    if (merged.store !== undefined) return this.#own(merged);
    this.#ownStore ??= memoryStore();
    const name = merged.name ?? (merged.tiers === undefined ? nameTier() : undefined);
    return this.#own({ ...merged, store: this.#ownStore, ...(name !== undefined && { name }) } as HookOptions);
  }

  #own(options: HookOptions): RateLimitHook {
    const hook = rateLimitHook(options);
    this.#limiters.push(hook.limiter);
    return hook;
  }
}
