import { channel, subscribe, unsubscribe, type ChannelListener } from 'node:diagnostics_channel';

import { ConfigError } from '@sluice/core';
import { warn } from '@sluice/http/adapter';
import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify';

import { isLimited, wasAdded, type RouteRateLimit } from './route-limits.js';
import { nameOf } from './route-name.js';
import { scopeOf } from './scope.js';

/** A route, and the instance that it was added to. */
interface AddedRoute {
  readonly route: RouteOptions;
  readonly app: FastifyInstance;
}

/** A scope that a plugin was registered in. */
interface AddedScope {
  readonly app: FastifyInstance;
  /** True if it has given a limit to the application, which may be used anywhere. */
  readonly hasLimits: () => boolean;
}

/** The description of the symbol by which an instance knows what handles 404. */
const NOT_FOUND_CONTEXT = 'fastify.404ContextKey';

/** Fastify publishes each application here when it creates it. */
const CREATED = 'fastify.initialization';

const CHECK = Symbol.for('sluice.fastify.check');

/** On an application whose routes are known. Instances of plugins inherit it. */
const ROUTES = Symbol.for('sluice.fastify.routes');

interface KnownRoutes {
  /** Undefined for an application that was created before this package was loaded. */
  readonly root?: FastifyInstance;
  /** The scopes that plugins were registered in. */
  readonly scopes: AddedScope[];
  /**
   * False once the application is ready, if the `config` of no route has a member `rateLimit`. To read the config of a request
   * has Fastify make an object of twelve members.
   */
  mayHaveConfig: boolean;
}

type CheckedInstance = FastifyInstance & { [ROUTES]?: KnownRoutes };

/** Checks all applications that Fastify creates from now on, because a route without the plugin runs no code of ours. */
export function checkRoutes(): void {
  const check: ChannelListener = (message) => checkRoutesOf((message as { fastify: FastifyInstance }).fastify);
  // The latest copy of this package checks for all. A test runner loads one for each file, and could not free the others.
  const created = channel(CREATED) as { [CHECK]?: ChannelListener };
  if (created[CHECK]) unsubscribe(CREATED, created[CHECK]);
  created[CHECK] = check;
  subscribe(CREATED, check);
}

function checkRoutesOf(root: CheckedInstance): void {
  const added: AddedRoute[] = [];
  let hasConfig = false;
  const known: KnownRoutes = { root, scopes: [], mayHaveConfig: true };
  root[ROUTES] = known;
  root.addHook('onRoute', function noteRoute(this: FastifyInstance, route) {
    hasConfig ||= route.config?.rateLimit !== undefined;
    added.push({ route, app: this });
  });
  // Plugins may still be registered when a route is added, and change its config.
  root.addHook('onReady', async () => {
    const routes = added.splice(0);
    known.mayHaveConfig = hasConfig || routes.some(({ route: { config } }) => config?.rateLimit !== undefined);
    const unlimited = routes.filter((each) => isLimited(each.route.config) && !checkRoute(each));
    // One warning is enough for one mistake.
    if (unlimited.length > 0) return;
    for (const { app, hasLimits } of known.scopes.splice(0)) {
      // Hooks of the root are for each route, and for requests that no route has.
      if (app !== root && !hasLimits() && routes.length > 0 && !hasRoute(app, routes)) warnOfNoRoute();
    }
  });
}

/** False for a route without the limit that its config has. @throws ConfigError if it was added before the plugin was loaded */
function checkRoute({ route, app }: AddedRoute): boolean {
  if (wasAdded(route.config)) return true;
  if (scopeOf(app)) throw addedTooEarly(nameOf(route), route.config?.rateLimit);
  // Another plugin, such as @fastify/rate-limit, reads the same `config`.
  if (app.hasDecorator('rateLimit')) return true;
  warn(
    'SLUICE_NO_FASTIFY_PLUGIN',
    `route ${nameOf(route)}: config.rateLimit has no effect, because the plugin is not registered in the scope of the route. Write await app.register(rateLimit, { … }) before it, in its scope or in one around it`,
  );
  return false;
}

/** True if a hook of an instance runs for some request: of a route of its scope, or of a handler for 404 that it has. */
function hasRoute(scope: FastifyInstance, routes: readonly AddedRoute[]): boolean {
  const isWithin = (app: unknown): boolean => app === scope || Object.prototype.isPrototypeOf.call(scope, Object(app));
  const notFound = Object.getOwnPropertySymbols(routesOf(scope).root).find(
    ({ description }) => description === NOT_FOUND_CONTEXT,
  );
  const { server } = Object(scope[notFound as never]) as { readonly server?: unknown };
  return isWithin(server) || routes.some(({ app }) => isWithin(app));
}

function warnOfNoRoute(): void {
  warn(
    'SLUICE_NO_LIMITED_ROUTE',
    'rateLimit: the plugin limits no route, because it is registered in a scope without routes. Write await app.register(rateLimit, { … }) on the instance that has the routes, or wrap your own plugin around it with fastify-plugin: export default fp(async (app) => { … })',
  );
}

/** The routes of an application. One that was created before this package was loaded can have any. */
export function routesOf(app: FastifyInstance): KnownRoutes {
  return (app as CheckedInstance)[ROUTES] ?? { scopes: [], mayHaveConfig: true };
}

/**
 * Whether the route of a request has only its own limits, or none.
 *
 * @throws ConfigError for a route without its limit, in an application that was created before this package was loaded
 */
export function overridesPlugin({ routeOptions }: FastifyRequest): boolean {
  const { config, method, url } = routeOptions;
  if (!isLimited(config)) return config?.rateLimit === false;
  if (wasAdded(config)) return (config.rateLimit as RouteRateLimit).override === true;
  throw addedTooEarly(nameOf({ method, url: url! }), config.rateLimit);
}

/** The error for a route whose limit has no effect, although the plugin is registered. */
function addedTooEarly(route: string, limit: unknown): ConfigError {
  return new ConfigError(
    'OPTION_INVALID',
    'config.rateLimit',
    limit,
    `route ${route}: config.rateLimit has no effect on a route that was added before the plugin was loaded. Write await app.register(rateLimit, ...), and add the route after it`,
  );
}
