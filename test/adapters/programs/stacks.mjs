import { once } from 'node:events';
import { createServer } from 'node:http';

// A stack is imported when it starts, because importing all of them takes longer than a test.

/**
 * An application that listens, with a limit on its one route.
 *
 * @typedef {object} Application
 * @property {import('node:http').Server} server
 * @property {() => Promise<unknown>} close
 */

/**
 * Starts an application with limits, and with a setting for proxies that it trusts. On Nest, its handler also has a
 * limit of its own.
 *
 * @typedef {(limits: any, handle: () => Promise<string>, trust?: any) => Promise<Application>} Stack
 */

/** @type {Record<string, Stack>} */
export const stacks = {
  'Express 5': onExpress('express'),
  'Express 4': onExpress('express-4'),

  async 'Fastify 5'(limits, handle, trust) {
    const [{ fastify }, { rateLimit }] = await Promise.all([import('fastify'), import('@sluice/fastify')]);
    const app = fastify({ trustProxy: trust });
    await app.register(rateLimit, limits);
    app.get('/', handle);
    await app.listen({ port: 0, host: '127.0.0.1' });
    return { server: app.server, close: () => app.close() };
  },

  async 'Hono on node-server'(limits, handle, trust) {
    const [{ Hono }, { serve }] = await Promise.all([import('hono'), import('@hono/node-server')]);
    const { rateLimit } = await import('@sluice/hono');
    const app = new Hono();
    app.get('/', rateLimit({ ...limits, ...(trust && { trustProxy: trust }) }), async (c) => c.text(await handle()));
    const server = /** @type {import('node:http').Server} */ (
      serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' })
    );
    await once(server, 'listening');
    return { server, close: () => new Promise((resolve) => server.close(resolve)) };
  },

  'Nest on Express': onNest(async (trust) => {
    const adapter = new (await import('@nestjs/platform-express')).ExpressAdapter();
    if (trust !== undefined) adapter.set('trust proxy', trust);
    return adapter;
  }),
  'Nest on Fastify': onNest(async (trust) => {
    const { FastifyAdapter } = await import('@nestjs/platform-fastify');
    return new FastifyAdapter({ trustProxy: trust });
  }),
};

/**
 * @param {string} framework
 * @returns {Stack}
 */
function onExpress(framework) {
  return async (limits, handle, trust) => {
    const { default: express } = /** @type {{ default: typeof import('express') }} */ (await import(framework));
    const { rateLimit } = await import('@sluice/express');
    const app = express();
    if (trust !== undefined) app.set('trust proxy', trust);
    app.get('/', rateLimit(limits), (_request, response, next) => {
      handle().then((text) => response.send(text), next);
    });
    const server = createServer(app).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return { server, close: () => new Promise((resolve) => server.close(resolve)) };
  };
}

/**
 * @param {(trust: any) => Promise<import('@nestjs/core').AbstractHttpAdapter>} adapter
 * @returns {Stack}
 */
function onNest(adapter) {
  return async (limits, handle, trust) => {
    const { Controller, Get, Module } = await import('@nestjs/common');
    const { APP_GUARD, NestFactory } = await import('@nestjs/core');
    const { RateLimit, RateLimitGuard, RateLimitModule } = await import('@sluice/nestjs');
    class Home {
      home() {
        return handle();
      }
    }
    const method = /** @type {PropertyDescriptor} */ (Object.getOwnPropertyDescriptor(Home.prototype, 'home'));
    Controller()(Home);
    Get()(Home.prototype, 'home', method);
    RateLimit({ limit: 1_000, window: '1h', name: 'home' })(Home.prototype, 'home', method);

    // oxlint-disable-next-line typescript/no-extraneous-class -- a module of Nest is a class
    class Root {}
    Module({
      imports: [RateLimitModule.forRoot(limits)],
      controllers: [Home],
      providers: [{ provide: APP_GUARD, useExisting: RateLimitGuard }],
    })(Root);
    const app = await NestFactory.create(Root, await adapter(trust), { logger: false });
    await app.listen(0, '127.0.0.1');
    return { server: app.getHttpServer(), close: () => app.close() };
  };
}
