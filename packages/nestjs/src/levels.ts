import { ConfigError, type Store } from '@sluice/core';
import { INHERITED_OPTIONS } from '@sluice/core/adapter';

import { declaredOf, declaredOfMethod, type Declared } from './declared.js';
import type { Class, Handler } from './handler.js';
import { levelOf, nameOfTier, type Level } from './level.js';
import type { At, RateLimitModuleOptions, RateLimitOptions } from './rate-limit-options.js';
import { nameOfRoute } from './route.js';
import { withoutTiers } from './skip.js';

type Options = RateLimitOptions<never>;

/** The levels of every handler: what the module says, and what decorators say. */
export class Levels {
  readonly ofModule: readonly Level[];
  readonly #defaults: Readonly<Record<string, unknown>>;
  readonly #ofControllers = new WeakMap<Class, Map<Options, Level>>();
  readonly #names = new Map<string, readonly unknown[]>();

  /**
   * @param ownStore for options without a store
   * @throws ConfigError
   */
  constructor(options: RateLimitModuleOptions<never>, ownStore: Store | undefined) {
    const { authenticated, ...entry } = options;
    this.#defaults = { ...entry, store: entry.store ?? ownStore };
    // In a store of somebody else's, a tier of this name could be there already.
    const make = (at: At, given: object, name: string) =>
      levelOf({ ...given, at } as Options, {
        decorated: false,
        defaults: this.#defaults,
        nameTier: () => (ownStore ? name : undefined),
      });
    this.ofModule = [
      ...(hasLimits(entry) ? [make('entry', entry, 'default')] : []),
      ...(authenticated === undefined ? [] : [make('authenticated', authenticated, 'authenticated')]),
    ];
  }

  /** From the top: the module, the controller with its base classes, the handler. @throws ConfigError */
  of(handler: Handler): readonly Level[] {
    const { controller, name } = handler;
    const above = addDeclared(this.ofModule, declaredOf(controller), (options) => this.#ofController(handler, options));
    const levels = addDeclared(above, declaredOfMethod(controller, name), (options) =>
      this.#decorated(options, [controller, name], (at) => nameOfRoute(handler, at)),
    );
    checkNames(levels);
    return levels;
  }

  /** Made once, so that the handlers of a controller share its budgets. */
  #ofController({ controller, prefixes }: Handler, options: Options): Level {
    const levels = this.#ofControllers.get(controller) ?? new Map<Options, Level>();
    const nameOf = (at?: At) => nameOfRoute({ controller, prefixes }, at);
    const level = levels.get(options) ?? this.#decorated(options, [controller], nameOf);
    this.#ofControllers.set(controller, levels.set(options, level));
    return level;
  }

  #decorated(options: Options, place: readonly unknown[], nameOf: (at?: At) => string): Level {
    const nameTier = () => this.#claim(nameOf(options.at), [options, ...place]);
    return levelOf(options, { decorated: true, defaults: this.#defaults, nameTier });
  }

  /**
   * Two limits that have nothing to do with each other must not share a budget because their routes look the same. The
   * same limit may come again: it could not be made the first time.
   */
  #claim(name: string, owner: readonly unknown[]): string {
    const other = this.#names.get(name);
    if (other && !(other.length === owner.length && other.every((each, index) => each === owner[index]))) {
      throw new ConfigError(
        'TIER_NAME_REQUIRED',
        'name',
        undefined,
        `tier: name must be given where another limit is of the same route, "${name}", got undefined`,
      );
    }
    this.#names.set(name, owner);
    return name;
  }
}

function addDeclared(
  above: readonly Level[],
  declared: readonly Declared[],
  make: (options: Options) => Level,
): readonly Level[] {
  let levels = above;
  for (const { limits, skips } of declared) {
    for (const names of skips) levels = withoutTiers(levels, names);
    const own = limits.map(make);
    const replaced = own.filter(({ override }) => override).map(({ at }) => at);
    levels = [...levels.filter(({ at }) => !replaced.includes(at)), ...own];
  }
  return levels;
}

/** Two limiters with a tier of one name would charge one budget twice for each request. */
function checkNames(levels: readonly Level[]): void {
  const names = levels.flatMap(({ tiers = [] }) => tiers.map(nameOfTier));
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice === undefined) return;
  throw new ConfigError(
    'TIER_NAME_TAKEN',
    'name',
    twice,
    `tier "${twice}": name must stand once in all limits of a handler, got "${twice}" twice`,
  );
}

function hasLimits(options: object): boolean {
  const inherited: readonly string[] = INHERITED_OPTIONS;
  return Object.keys(options).some((name) => !inherited.includes(name));
}
