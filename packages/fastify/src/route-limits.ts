import { ConfigError } from '@sluice/core';
import { FLAG, OptionReader, routeName, show, warn, withErrorContext } from '@sluice/http/adapter';
import type { FastifyInstance, RouteOptions } from 'fastify';

import type { HookOptions } from './fastify-gate.js';
import { readHookName, type HookName, type RateLimitHook } from './rate-limit-hook.js';
import { nameOf, patternOf } from './route-name.js';

/** The limit of a route, in its `config.rateLimit`. */
export type RouteRateLimit = HookOptions & {
  /**
   * When requests are counted: `preHandler` after authentication.
   *
   * @default the hook of the plugin
   */
  hook?: HookName;
  /**
   * Replaces the limit of the plugin for this route.
   *
   * @default false: both limits apply
   */
  override?: boolean;
};

/** Marks the config of a route whose limit was added, also by another copy of this package. */
const ADDED = Symbol.for('sluice.fastify.added');

type Config = RouteOptions['config'];

/** True for the config of a route that has a limit of its own. */
export function isLimited(config: Config): boolean {
  const limit: unknown = config?.rateLimit;
  return limit !== undefined && limit !== false;
}

/** True if the limit of a config was added to its route. */
export function wasAdded(config: Config): boolean {
  return config !== undefined && ADDED in config;
}

/** The limits in the `config` of the routes of a scope. */
export class RouteLimits {
  readonly #hookName: HookName;
  readonly #createHook: (options: HookOptions) => RateLimitHook;
  readonly #hooksByRoute = new Map<string, { config: RouteRateLimit; hook: RateLimitHook }>();

  /** @param hookName for routes without their own `hook` */
  constructor(hookName: HookName, createHook: (options: HookOptions) => RateLimitHook) {
    this.#hookName = hookName;
    this.#createHook = createHook;
  }

  /** Adds the limit of a route as a hook. @throws ConfigError that names the route */
  addTo(route: RouteOptions, app: FastifyInstance): void {
    checkPlace(route);
    checkName(route);
    if (!isLimited(route.config)) return;
    const config: unknown = route.config?.rateLimit;
    const methods = [route.method].flat();
    const pattern = patternOf(route);
    withErrorContext(`route ${nameOf(route)}`, () => {
      checkConfig(config);
      const reader = new OptionReader('config.rateLimit', config, Object.keys(config));
      const hookName = readHookName(reader, this.#hookName);
      reader.one('override', FLAG);
      // Each Fastify 5 has it; its types have it since 5.3.
      const { supportedMethods } = app as unknown as { readonly supportedMethods: readonly string[] };
      const hasAllMethods = methods.length >= supportedMethods.length;
      const hook = this.#hookOf(config, { methods, pattern, hasAllMethods });
      route[hookName] = [...([route[hookName] ?? []].flat() as RateLimitHook[]), hook];
      route.config = Object.assign({ ...route.config }, { [ADDED]: true });
    });
  }

  /** A HEAD route with the `config` of its GET route shares its limit. */
  #hookOf(config: RouteRateLimit, { methods, pattern, hasAllMethods }: RoutePlace): RateLimitHook {
    const countedMethods = [...new Set(methods.map((method) => (method === 'HEAD' ? 'GET' : method)))];
    const routes = countedMethods.map((method) => `${method} ${pattern}`);
    const known = routes.map((route) => this.#hooksByRoute.get(route)).find((each) => each?.config === config);
    if (known) return known.hook;

    const { hook: _hook, override: _override, ...options } = config;
    const isShortForm = options.limiter === undefined && options.tiers === undefined;
    const namedMethods = methods.includes('GET') ? countedMethods : methods;
    const name = options.name ?? routeName(hasAllMethods ? 'ALL' : namedMethods.join(), pattern);
    const hook = this.#createHook(isShortForm ? { ...options, name } : options);
    for (const route of routes) this.#hooksByRoute.set(route, { config, hook });
    return hook;
  }
}

interface RoutePlace {
  readonly methods: readonly string[];
  readonly pattern: string;
  readonly hasAllMethods: boolean;
}

/** @throws ConfigError for a limit that Fastify does not pass on */
function checkPlace(route: RouteOptions & { readonly rateLimit?: unknown }): void {
  if (route.rateLimit === undefined) return;
  const message = `route ${nameOf(route)}: rateLimit is not an option of a route: write config: { rateLimit: … }`;
  throw new ConfigError('OPTION_UNKNOWN', 'rateLimit', undefined, message);
}

/** Warns of a limit under another name, which has no effect. Another plugin may have such a name: it is no error. */
function checkName(route: RouteOptions): void {
  const { config = {} } = route;
  if (config.rateLimit !== undefined) return;
  const other = Object.keys(config).find(isMisspelt);
  if (other === undefined) return;
  warn(
    'SLUICE_ROUTE_LIMIT_MISSPELT',
    `route ${nameOf(route)}: config.${other} has no effect: the name is rateLimit, as in config: { rateLimit: { … } }`,
  );
}

function isMisspelt(name: string): boolean {
  return /^rate[-_]?limits?$/i.test(name);
}

function checkConfig(config: unknown): asserts config is RouteRateLimit {
  if (typeof config === 'object' && config !== null) return;
  const message = `config.rateLimit must be an object or false, got ${show(config)}`;
  throw new ConfigError('OPTION_INVALID', 'config.rateLimit', config, message);
}
