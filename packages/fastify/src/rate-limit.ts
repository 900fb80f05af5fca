import { ConfigError, type Decision } from '@sluice/core';
import { fastifyTrust, FLAG, INHERITED_OPTIONS, OptionReader, peerOption, warnOfTrust } from '@sluice/http/adapter';
import type { FastifyInstance, FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import fastifyPlugin from 'fastify-plugin';

import type { HookOptions } from './fastify-gate.js';
import { checkHooks, readHookName, type HookName, type RateLimitHook } from './rate-limit-hook.js';
import { checkRoutes, overridesPlugin, routesOf } from './route-check.js';
import type { RouteRateLimit } from './route-limits.js';
import { Scope, scopeOf, setScope, type InheritedOptions } from './scope.js';

declare module 'fastify' {
  interface FastifyInstance {
    /** Creates a hook for `onRequest`, `preValidation` or `preHandler` of a route. It inherits options of the plugin. */
    rateLimit(options: HookOptions): RateLimitHook;
  }
  interface FastifyRequest {
    /** The last decision about this request. */
    rateLimit: Decision | undefined;
  }
  interface FastifyContextConfig {
    /** The limit of a route, in addition to the plugin's, or instead of it with `override`. `false`: no limit at all. */
    rateLimit?: RouteRateLimit | false;
  }
}

/**
 * The options of the plugin: those of its limiter and gate, for all routes of its scope. Limits of routes inherit `store`,
 * `prefix`, `secret`, `partition`, `onStoreFailure`, `share`, `denyCache`, `onNotice`, `headers`, `body`, `onDenied` and `shed`.
 */
export type RateLimitOptions =
  | (HookOptions & ScopeOptions & { global?: true })
  | (InheritedOptions & ScopeOptions & { global: false });

export interface ScopeOptions {
  /**
   * When requests are counted: `onRequest` before anything else, `preHandler` after authentication.
   *
   * @default 'onRequest'
   */
  hook?: HookName;
}

type Hook = (request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction) => void;

checkRoutes();

/**
 * The plugin. It limits every route of its scope, and 404s too. With `global: false` it limits only routes with
 * `config: { rateLimit }` or with a hook of `app.rateLimit(options)`.
 *
 * @throws ConfigError that names the option, the rule and the value, and stops the start
 * @example await app.register(rateLimit, { limit: 100, window: '1m' });
 */
export const rateLimit = fastifyPlugin<RateLimitOptions>(
  async (app, given) => {
    const { isGlobal, hook, options } = readOptions(given);
    warnOfTrust(fastifyTrust(app));
    const scope = new Scope(options, hook);
    setScope(app, scope);
    routesOf(app).scopes.push({ app, hasLimits: () => scope.hasLimits });
    if (!app.hasRequestDecorator('rateLimit')) app.decorateRequest('rateLimit', undefined);
    // A decorator of another plugin stays, and Fastify rejects ours.
    if (!app.hasDecorator('rateLimit') || app.rateLimit !== createHook) app.decorate('rateLimit', createHook);
    app.addHook('onClose', async () => scope.close());
    app.addHook('onRoute', function addLimits(this: FastifyInstance, route) {
      if (scopeOf(this) === scope) {
        checkHooks(route);
        scope.routes.addTo(route, this);
      }
      // Hooks of a scope are also for the scopes in it.
      scope.heldRoutes.watch(route);
    });
    if (isGlobal) app.addHook(hook as 'onRequest', unlessOverridden(scope.pluginHook(options), app));
    else {
      // Also finds routes whose limit was overlooked.
      app.addHook(
        'onRequest',
        unlessOverridden((_request, _reply, done) => done(), app),
      );
    }
  },
  { fastify: '5.x', name: '@sluice/fastify' },
);

/** Separates the options of the scope from those of limits. @throws ConfigError */
function readOptions(given: RateLimitOptions) {
  checkCall(given);
  const reader = new OptionReader('rateLimit', given, Object.keys(given));
  const isGlobal = reader.one('global', { ...FLAG, otherwise: true });
  const hook = readHookName(reader, 'onRequest');
  if (!isGlobal) checkInheritedOnly(reader, Object.keys(given));
  const { global: _global, hook: _hook, ...options } = given;
  return { isGlobal, hook, options: options as HookOptions };
}

/** @throws ConfigError for a call by the application: Fastify passes an instance, and always options */
function checkCall(given: RateLimitOptions | undefined): void {
  if (given !== undefined) return;
  const message = 'rateLimit: Fastify calls this plugin: write app.register(rateLimit, { … }), not rateLimit({ … })';
  throw new ConfigError('OPTION_INVALID', 'options', undefined, message);
}

/** @throws ConfigError for an option of a limit, which a plugin with `global: false` does not have */
function checkInheritedOnly(reader: OptionReader, names: readonly string[]): void {
  const known: readonly string[] = ['hook', ...INHERITED_OPTIONS];
  const other = names.find((name) => name !== 'global' && reader.has(name) && !known.includes(name));
  if (other === undefined) return;
  const answer = peerOption(other, known);
  if (answer) throw reader.fail('OPTION_UNKNOWN', other, answer);
  const rule = `cannot be combined with global: false, which has no limit of its own: allowed are ${known.join(', ')}`;
  throw reader.fail('OPTION_UNKNOWN', other, rule);
}

function createHook(this: FastifyInstance, options: HookOptions): RateLimitHook {
  return scopeOf(this)!.hook(options);
}

/** A hook of the whole scope, except for routes that override the plugin. */
function unlessOverridden(hook: Hook, app: FastifyInstance): Hook {
  const routes = routesOf(app);
  return (request, reply, done) => {
    if (routes.mayHaveConfig && overridesPlugin(request)) done();
    else hook(request, reply, done);
  };
}
