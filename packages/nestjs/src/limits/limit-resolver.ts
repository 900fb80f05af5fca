import { ConfigError, type Store } from '@sluice/core';
import { INHERITED_OPTIONS, show } from '@sluice/http/adapter';

import type { RateLimitModuleOptions, RateLimitOptions } from './options.js';
import { metadataOfClass, metadataOfMethod, type RateLimitMetadata } from './rate-limit.decorator.js';
import type { GuardStage } from './guard-stage.js';
import { createLimit, nameOfTier, tierNamesIn, type Limit } from './limit.js';
import { tierNameOf, type Class, type Handler, type Route } from './route-metadata.js';

type Options = RateLimitOptions<never>;

/** Finds the limits of each handler: those of the module, of its controller and its own. */
export class LimitResolver {
  readonly moduleLimits: readonly Limit[];
  readonly #defaults: Readonly<Record<string, unknown>>;
  /** By controller, and by the name of the method; `''` for the controller. */
  readonly #decorated = new WeakMap<Class, Map<string, Map<Options, Limit>>>();
  readonly #names = new Set<string>();

  /** @param ownStore the store for limits without one */
  constructor(options: RateLimitModuleOptions<never>, ownStore: Store | undefined) {
    const { authenticated, ...entry } = options;
    this.#defaults = { ...entry, store: entry.store ?? ownStore };
    const create = (at: GuardStage, given: object, name: string) =>
      createLimit({ ...given, at } as Options, {
        isDecorated: false,
        defaults: this.#defaults,
        // A store of the application can already have a tier of this name.
        nameTier: () => (ownStore ? name : undefined),
      });
    this.moduleLimits = [
      ...(hasLimits(entry) ? [create('entry', entry, 'default')] : []),
      ...(authenticated === undefined ? [] : [create('authenticated', authenticated, 'authenticated')]),
    ];
  }

  /** The limits of a handler: those of the module, then of the controller and its base classes, then its own. */
  resolve(handler: Handler): readonly Limit[] {
    const { controller, prefixes, name } = handler;
    const ofController = applyAll(this.moduleLimits, metadataOfClass(controller), (options) =>
      this.#limitOf({ controller, prefixes }, options),
    );
    const limits = applyAll(ofController, metadataOfMethod(controller, name), (options) =>
      this.#limitOf(handler, options),
    );
    checkTierNames(limits);
    return limits;
  }

  /** Created once for each decorator of a controller, so that its handlers share the budget. */
  #limitOf(route: Route, options: Options): Limit {
    const limits = this.#limitsAt(route);
    const nameTier = () => this.#reserveName(tierNameOf(route, options.at));
    const limit =
      limits.get(options) ?? createLimit(options, { isDecorated: true, defaults: this.#defaults, nameTier });
    limits.set(options, limit);
    return limit;
  }

  #limitsAt({ controller, name = '' }: Route): Map<Options, Limit> {
    const places = this.#decorated.get(controller) ?? new Map<string, Map<Options, Limit>>();
    this.#decorated.set(controller, places);
    const limits = places.get(name) ?? new Map<Options, Limit>();
    places.set(name, limits);
    return limits;
  }

  /** Unrelated limits must not share a budget because their routes look the same. */
  #reserveName(name: string): string {
    if (this.#names.has(name)) {
      throw new ConfigError(
        'TIER_NAME_REQUIRED',
        'name',
        undefined,
        `tier: name must be given, because another limit is named by the same route, "${name}", got undefined`,
      );
    }
    this.#names.add(name);
    return name;
  }
}

/** Applies decorators to the limits that a controller or a handler inherits. */
function applyAll(
  inherited: readonly Limit[],
  metadata: readonly RateLimitMetadata[],
  create: (options: Options) => Limit,
): readonly Limit[] {
  let limits = inherited;
  for (const { limits: decorated, skips } of metadata) {
    for (const names of skips) limits = withoutTiers(limits, names);
    const own = decorated.map(create);
    const overridden = own.filter(({ override }) => override).map(({ stage }) => stage);
    limits = [...limits.filter(({ stage }) => !overridden.includes(stage)), ...own];
  }
  return limits;
}

/** Limits without the tiers of these names; without any names, no limits. */
function withoutTiers(limits: readonly Limit[], names: readonly string[]): readonly Limit[] {
  if (names.length === 0) return [];
  const known = tierNamesIn(limits);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new ConfigError(
      'OPTION_INVALID',
      'names',
      unknown,
      `SkipRateLimit: names must be inherited tiers (${known.join(', ') || 'no tier is inherited'}), got ${show(unknown)}. To skip a plan or a shared limiter, give no names`,
    );
  }
  return limits.flatMap((limit) => {
    const left = limit.tiers?.filter((tier) => !names.includes(nameOfTier(tier)!));
    // An unchanged limit stays the same object, so that handlers share its gate.
    if (!left || left.length === limit.tiers!.length) return limit;
    return left.length > 0 ? { ...limit, tiers: left } : [];
  });
}

/** Two limiters with a tier of one name would charge one budget twice for each request. */
function checkTierNames(limits: readonly Limit[]): void {
  const names = tierNamesIn(limits);
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated === undefined) return;
  throw new ConfigError(
    'TIER_NAME_TAKEN',
    'name',
    repeated,
    `tier "${repeated}": name must be unique among the limits of a handler, got "${repeated}" twice`,
  );
}

function hasLimits(options: object): boolean {
  const inherited: readonly string[] = INHERITED_OPTIONS;
  return Object.keys(options).some((name) => !inherited.includes(name));
}
