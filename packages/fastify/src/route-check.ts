import { channel, subscribe, unsubscribe, type ChannelListener } from 'node:diagnostics_channel';

import { ConfigError } from '@sluice/core';
import { warn } from '@sluice/core/adapter';
import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify';

import { isLimited, wasAdded, type RouteRateLimit } from './route-limits.js';
import { nameOf } from './route-name.js';
import { scopeOf } from './scope.js';

/** A route, and the instance that it was added to. */
interface AddedRoute {
  readonly route: RouteOptions;
  readonly app: FastifyInstance;
}

/** Fastify publishes each application here when it creates it. */
const CREATED = 'fastify.initialization';

const CHECK = Symbol.for('sluice.fastify.check');

/** On an application whose routes are known. Instances of plugins inherit it. */
const ROUTES = Symbol.for('sluice.fastify.routes');

interface KnownRoutes {
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
  const known: KnownRoutes = { mayHaveConfig: true };
  root[ROUTES] = known;
  root.addHook('onRoute', function noteRoute(this: FastifyInstance, route) {
    hasConfig ||= route.config?.rateLimit !== undefined;
    added.push({ route, app: this });
  });
  // Plugins may still be registered when a route is added, and change its config.
  root.addHook('onReady', async () => {
    const routes = added.splice(0);
    known.mayHaveConfig = hasConfig || routes.some(({ route: { config } }) => config?.rateLimit !== undefined);
    for (const each of routes) if (isLimited(each.route.config)) checkRoute(each);
  });
}

/** @throws ConfigError for a route that was added before the plugin was loaded */
function checkRoute({ route, app }: AddedRoute): void {
  if (wasAdded(route.config)) return;
  if (scopeOf(app)) throw addedTooEarly(nameOf(route), route.config?.rateLimit);
  // Another plugin, such as @fastify/rate-limit, reads the same `config`.
  if (app.hasDecorator('rateLimit')) return;
  warn(
    'SLUICE_NO_FASTIFY_PLUGIN',
    `route ${nameOf(route)}: config.rateLimit has no effect, because the plugin is not registered in the scope of the route. Write await app.register(rateLimit, { … }) before it, in its scope or in one around it`,
  );
}

/** The routes of an application. One that was created before this package was loaded can have any. */
export function routesOf(app: FastifyInstance): KnownRoutes {
  return (app as CheckedInstance)[ROUTES] ?? { mayHaveConfig: true };
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
