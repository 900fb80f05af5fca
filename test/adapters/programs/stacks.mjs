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
 * Starts an application with limits. On Nest, a handler has a limit of its own if they are not those of a limiter.
 *
 * @typedef {(limits: any, handle: () => Promise<string>) => Promise<Application>} Stack
 */

/** @type {Record<string, Stack>} */
export const stacks = {
  'Express 5': onExpress('express'),
  'Express 4': onExpress('express-4'),

  async 'Fastify 5'(limits, handle) {
    const [{ fastify }, { rateLimit }] = await Promise.all([import('fastify'), import('@sluice/fastify')]);
    const app = fastify();
    await app.register(rateLimit, limits);
    app.get('/', handle);
    await app.listen({ port: 0, host: '127.0.0.1' });
    return { server: app.server, close: () => app.close() };
  },

  'Nest on Express': onNest(async () => new (await import('@nestjs/platform-express')).ExpressAdapter()),
  'Nest on Fastify': onNest(async () => new (await import('@nestjs/platform-fastify')).FastifyAdapter()),
};

/**
 * @param {string} framework
 * @returns {Stack}
 */
function onExpress(framework) {
  return async (limits, handle) => {
    const { default: express } = /** @type {{ default: typeof import('express') }} */ (await import(framework));
    const { rateLimit } = await import('@sluice/express');
    const app = express();
    app.get('/', rateLimit(limits), (_request, response, next) => {
      handle().then((text) => response.send(text), next);
    });
    const server = createServer(app).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return { server, close: () => new Promise((resolve) => server.close(resolve)) };
  };
}

/**
 * @param {() => Promise<import('@nestjs/core').AbstractHttpAdapter>} adapter
 * @returns {Stack}
 */
function onNest(adapter) {
  return async (limits, handle) => {
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
    if (!limits.limiter) RateLimit({ limit: 1_000, window: '1h', name: 'home' })(Home.prototype, 'home', method);

    // oxlint-disable-next-line typescript/no-extraneous-class -- a module of Nest is a class
    class Root {}
    Module({
      imports: [RateLimitModule.forRoot(limits)],
      controllers: [Home],
      providers: [{ provide: APP_GUARD, useExisting: RateLimitGuard }],
    })(Root);
    const app = await NestFactory.create(Root, await adapter(), { logger: false });
    await app.listen(0, '127.0.0.1');
    return { server: app.getHttpServer(), close: () => app.close() };
  };
}
