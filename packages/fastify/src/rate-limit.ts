import type { Decision, Limiter } from '@sluice/core';
import { fastifyTrust, INHERITED_OPTIONS, OptionReader, warnOfTrust } from '@sluice/core/adapter';
import type { FastifyInstance, FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import fastifyPlugin from 'fastify-plugin';

import { readHookName, type HookName } from './hook-name.js';
import type { RateLimitHook } from './rate-limit-hook.js';
import type { HookOptions } from './reply-gate.js';
import { standsAlone, type RouteRateLimit } from './route-limits.js';
import { Scope, type Defaults } from './scope.js';

declare module 'fastify' {
  interface FastifyInstance {
    /** A hook for `onRequest`, `preValidation` or `preHandler` of a route; what it does not say is the plugin's. */
    rateLimit(options: HookOptions | Limiter<FastifyRequest>): RateLimitHook;
  }
  interface FastifyRequest {
    /** The decision that was made last about this request. */
    rateLimit: Decision | undefined;
  }
  interface FastifyContextConfig {
    /** Limits of a route beside those of the plugin, or instead with `override`; false for none. */
    rateLimit?: RouteRateLimit | false;
  }
}

/**
 * The options of the plugin: of its limiter and gate, for all routes of its scope. Limits of routes have those of its
 * `store`, `prefix`, `secret`, `partition`, `onStoreFailure`, `share`, `headers`, `body` and `onDenied` that they do not
 * have themselves.
 */
export type RateLimitOptions = (HookOptions & ScopeOptions & { global?: true }) | (DefaultsAlone & ScopeOptions);

type DefaultsAlone = Defaults & { global: false };

export interface ScopeOptions {
  /**
   * When requests are counted: `onRequest` before anything else, `preHandler` when authentication has told who they are.
   *
   * @default 'onRequest'
   */
  hook?: HookName;
}

/** The nearest scope of an instance: that of a child stands before its parent's. */
const SCOPE = Symbol('sluice.scope');

type Scoped = FastifyInstance & { [SCOPE]: Scope };

type Hook = (request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction) => void;

/**
 * Limits every route of the scope that it is registered in, 404s too; with `global: false` those only that say so, by
 * `config: { rateLimit }` or by a hook of `app.rateLimit(options)`.
 *
 * @throws ConfigError that names the option, the rule and the value, and stops start-up
 */
export const rateLimit = fastifyPlugin<RateLimitOptions>(
  async (app, given) => {
    const { global: limitsAll, hook, options } = readOptions(given);
    warnOfTrust(fastifyTrust(app));
    const scope = new Scope(options, hook);
    (app as Scoped)[SCOPE] = scope;
    if (!app.hasRequestDecorator('rateLimit')) app.decorateRequest('rateLimit', undefined);
    // That of another plugin is refused by Fastify, and not taken for ours.
    if (!app.hasDecorator('rateLimit') || app.rateLimit !== makeHook) app.decorate('rateLimit', makeHook);
    app.addHook('onClose', async () => scope.close());
    app.addHook('onRoute', function addLimits(this: FastifyInstance, route) {
      if ((this as Scoped)[SCOPE] === scope) scope.routes.addTo(route, this);
    });
    if (limitsAll) app.addHook(hook as 'onRequest', unlessAlone(scope.ofPlugin(options)));
    else {
      app.addHook(
        'onRequest',
        unlessAlone((_request, _reply, done) => done()),
      );
    }
  },
  { fastify: '5.x', name: '@sluice/fastify' },
);

/** What a plugin is told about its scope, and what about limits. @throws ConfigError */
function readOptions(given: RateLimitOptions) {
  const reader = new OptionReader('rateLimit', given, Object.keys(given));
  const global = reader.choice('global', [true, false], true);
  const hook = readHookName(reader, 'onRequest');
  if (!global) checkDefaults(reader, Object.keys(given));
  const { global: _global, hook: _hook, ...options } = given;
  return { global, hook, options: options as HookOptions };
}

/** A plugin that limits nothing by itself has nothing to tell but defaults. @throws ConfigError */
function checkDefaults(reader: OptionReader, given: readonly string[]): void {
  const known: readonly string[] = ['hook', ...INHERITED_OPTIONS];
  const other = given.find((name) => name !== 'global' && reader.has(name) && !known.includes(name));
  if (other === undefined) return;
  const rule = `must not stand beside global: false, which limits nothing by itself: there may be ${known.join(', ')}`;
  throw reader.fail('OPTION_UNKNOWN', other, rule);
}

function makeHook(this: FastifyInstance, options: HookOptions | Limiter<FastifyRequest>): RateLimitHook {
  return (this as Scoped)[SCOPE].ofHook(options);
}

/** The hook of a whole scope, which a route can be without. */
function unlessAlone(hook: Hook): Hook {
  return (request, reply, done) => {
    if (standsAlone(request)) done();
    else hook(request, reply, done);
  };
}
