import { ConfigError } from '@sluice/core';
import { withErrorContext, OptionReader, routeName, show } from '@sluice/core/adapter';
import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify';

import { readHookName, type HookName } from './hook-name.js';
import type { RateLimitHook } from './rate-limit-hook.js';
import type { HookOptions } from './reply-gate.js';

/** What a route says of its limits. */
export type RouteRateLimit = HookOptions & {
  /**
   * When the request is counted: after authentication in `preHandler`.
   *
   * @default that of the plugin
   */
  hook?: HookName;
  /**
   * The route has this limit instead of the plugin's, and not besides it.
   *
   * @default false
   */
  override?: boolean;
};

/** Marks the config of a route whose limit stands before it. */
const ADDED = Symbol('sluice.added');

/** The limits that routes of a scope have in their `config`. */
export class RouteLimits {
  readonly #hook: HookName;
  readonly #make: (options: HookOptions) => RateLimitHook;
  readonly #known = new Map<string, { config: RouteRateLimit; hook: RateLimitHook }>();

  /** @param hook of routes that do not say */
  constructor(hook: HookName, make: (options: HookOptions) => RateLimitHook) {
    this.#hook = hook;
    this.#make = make;
  }

  /** Puts the limit of a route before it. @throws ConfigError that names the route */
  addTo(route: RouteOptions, app: FastifyInstance): void {
    const config: unknown = route.config?.rateLimit;
    if (config === undefined || config === false) return;
    const methods = [route.method].flat();
    const place = { methods, pattern: patternOf(route), all: app.supportedMethods.length };
    withErrorContext(`route ${methods.join()} ${place.pattern}`, () => {
      checkConfig(config);
      const reader = new OptionReader('config.rateLimit', config, Object.keys(config));
      const when = readHookName(reader, this.#hook);
      reader.flag('override');
      const hook = this.#hookOf(config, place);
      route[when] = [...([route[when] ?? []].flat() as RateLimitHook[]), hook];
      route.config = Object.assign({ ...route.config }, { [ADDED]: true });
    });
  }

  /** A HEAD route that has the `config` of its GET counts with it. */
  #hookOf(config: RouteRateLimit, { methods, pattern, all }: { methods: string[]; pattern: string; all: number }) {
    const counted = [...new Set(methods.map((method) => (method === 'HEAD' ? 'GET' : method)))];
    const places = counted.map((method) => `${method} ${pattern}`);
    const known = places.map((place) => this.#known.get(place)).find((each) => each?.config === config);
    if (known) return known.hook;

    const { hook: _when, override: _override, ...options } = config;
    const short = options.limiter === undefined && options.tiers === undefined;
    const named = methods.includes('GET') ? counted : methods;
    const name = options.name ?? routeName(methods.length >= all ? 'ALL' : named.join(), pattern);
    const hook = this.#make(short ? { ...options, name } : options);
    for (const place of places) this.#known.set(place, { config, hook });
    return hook;
  }
}

/** What tells a route from others of its methods: its URL and, where it has any, its constraints. */
function patternOf({ url, constraints = {} }: RouteOptions): string {
  const told = Object.entries(constraints as Readonly<Record<string, unknown>>)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => ` ${name}=${String(value)}`);
  return `${url}${told.join('')}`;
}

/**
 * Whether the route of a request has no limit but those that it names.
 *
 * @throws ConfigError when a limit was overlooked: the route was added while the plugin was still to be loaded
 */
export function standsAlone({ routeOptions: { config, method, url } }: FastifyRequest): boolean {
  const own = config?.rateLimit;
  if (own === undefined || own === false) return own === false;
  if (!(ADDED in config)) {
    throw new ConfigError(
      'OPTION_INVALID',
      'config.rateLimit',
      own,
      `route ${[method].flat().join()} ${url}: config.rateLimit has no effect on a route that was added before the plugin was loaded: write await app.register(rateLimit, ...) and add the route after that`,
    );
  }
  return own.override === true;
}

function checkConfig(config: unknown): asserts config is RouteRateLimit {
  if (typeof config === 'object' && config !== null) return;
  throw new ConfigError(
    'OPTION_INVALID',
    'config.rateLimit',
    config,
    `config.rateLimit must be an object or false, got ${show(config)}`,
  );
}
