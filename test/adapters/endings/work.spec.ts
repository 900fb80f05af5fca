import { once } from 'node:events';
import { createServer, request as startRequest, type RequestListener, type Server } from 'node:http';
import { connect, constants, createServer as createHttp2Server } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { Controller, Get, Module } from '@nestjs/common';
import { APP_GUARD, NestFactory, type AbstractHttpAdapter } from '@nestjs/core';
import { createGate, holdWhile, type HttpRequest } from '@sluice/http';
import { holdPermits, limited as expressLimited, rateLimit as expressLimit } from '@sluice/express';
import { limited as fastifyLimited, rateLimit as fastifyLimit } from '@sluice/fastify';
import { rateLimit as honoLimit } from '@sluice/hono';
import { RateLimit, RateLimitGuard, RateLimitModule, type RateLimitOptions } from '@sluice/nestjs';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import express, { type RequestHandler } from 'express';
import { fastify, type FastifyInstance, type RouteHandlerMethod } from 'fastify';
import { Hono } from 'hono';
import { closeServer } from '../../support/site.js';
import { until } from '../../support/until.js';
import { LIMIT, Work } from './work.js';

const closers: (() => unknown)[] = [];
let work: Work;

beforeEach(() => {
  work = new Work();
});

afterEach(async () => {
  await work.end();
  for (const close of closers.splice(0)) await close();
});

type Open = (isHttp2: boolean) => Promise<number>;

async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A session of HTTP/2 is closed before its server.
  closers.push(() => ('closeAllConnections' in server ? closeServer(server) : (server as Server).close()));
  return (server.address() as AddressInfo).port;
}

async function portOf(app: FastifyInstance): Promise<number> {
  closers.push(() => app.close());
  await app.listen({ port: 0, host: '127.0.0.1' });
  return (app.server.address() as AddressInfo).port;
}

const gateListener: RequestListener = (request, response) => {
  const gate = createGate<HttpRequest>({ limiter: work.limiter });
  void Promise.resolve(gate.admit(Object.assign(request, { ip: '127.0.0.1' }), response)).then(async ({ state }) => {
    if (state === 'admitted') await holdWhile(request, () => work.handle());
    response.end();
  });
};

const onNode: Open = (isHttp2) =>
  listening(isHttp2 ? (createHttp2Server(gateListener as never) as never) : createServer(gateListener));

/** @param limit makes an application whose route `/` is limited */
const onFastify =
  (limit: (app: FastifyInstance, handler: RouteHandlerMethod) => Promise<unknown>): Open =>
  async (isHttp2) => {
    const app = fastify((isHttp2 ? { http2: true } : {}) as object);
    await limit(app, () => work.handle());
    return portOf(app);
  };

const byPlugin = onFastify(async (app, handler) => {
  await app.register(fastifyLimit, { limiter: work.limiter });
  // In a scope of its own.
  await app.register(async (child) => void child.get('/', handler));
});

const onHono: Open = (isHttp2) => {
  const app = new Hono();
  app.use(honoLimit({ limiter: work.limiter }));
  app.get('/', async (c) => {
    await work.handle();
    return c.text('served');
  });
  const options = isHttp2 ? { createServer: createHttp2Server } : {};
  return listening(createAdaptorServer({ fetch: app.fetch, ...options }) as Server);
};

/** @param isDecorated the limit is that of the handler, not of the module */
const onNest =
  (platform: (isHttp2: boolean) => AbstractHttpAdapter, isDecorated: boolean): Open =>
  async (isHttp2) => {
    const limit = { limiter: work.limiter } as RateLimitOptions;
    class Api {
      answer() {
        return work.handle();
      }
    }
    const place = [Api.prototype, 'answer', Object.getOwnPropertyDescriptor(Api.prototype, 'answer')!] as const;
    if (isDecorated) RateLimit(limit)(...place);
    Get()(...place);
    Controller()(Api);
    // oxlint-disable-next-line typescript/no-extraneous-class -- a module of Nest is a class
    class Root {}
    Module({
      imports: [isDecorated ? RateLimitModule.forRoot() : RateLimitModule.forRoot(limit)],
      controllers: [Api],
      providers: [{ provide: APP_GUARD, useExisting: RateLimitGuard }],
    })(Root);
    const app = await NestFactory.create(Root, platform(isHttp2), { logger: false, forceCloseConnections: true });
    await app.listen(0, '127.0.0.1');
    closers.push(() => app.close());
    return Number(new URL(await app.getUrl()).port);
  };

const fastifyAdapter = (isHttp2: boolean) => new FastifyAdapter((isHttp2 ? { http2: true } : {}) as object);

/** A decorated method of a class, as a route gets it. */
function methodBy(
  limited: typeof expressLimited | typeof fastifyLimited,
  handler: (...each: never[]) => unknown,
): unknown {
  class Api {
    answer(): void {}
  }
  const descriptor = { value: handler, writable: true, configurable: true };
  const decorate = limited({ limiter: work.limiter } as never);
  Object.defineProperty(Api.prototype, 'answer', decorate(Api.prototype, 'answer', descriptor));
  return Reflect.get(new Api(), 'answer');
}

/** Sends requests, and leaves as soon as the limiter has decided: three times as many as may run. */
async function floodAndLeave(port: number): Promise<void> {
  for (let round = 1; round <= 3; round += 1) {
    const requests = Array.from({ length: LIMIT }, () => startRequest({ host: '127.0.0.1', port, agent: false }).end());
    for (const request of requests) request.on('error', () => undefined);
    await until(() => work.arrived === round * LIMIT);
    for (const request of requests) request.destroy();
    // The server is in this process, and reads the end of its connections.
    for (let turn = 0; turn < 30; turn += 1) await new Promise(setImmediate);
  }
}

/** Opens streams of one connection and cancels each: HTTP/2 Rapid Reset. */
async function rapidReset(port: number): Promise<void> {
  const session = connect(`http://127.0.0.1:${port}`);
  session.on('error', () => undefined);
  closers.unshift(() => session.destroy());
  await once(session, 'connect');
  for (let round = 0; round < 10; round += 1) {
    const streams = Array.from({ length: 10 }, () => session.request({ ':path': '/' }));
    for (const stream of streams) stream.on('error', () => undefined);
    await new Promise(setImmediate);
    for (const stream of streams) stream.close(constants.NGHTTP2_CANCEL);
    // Frames of a connection are read in their order.
    await new Promise<void>((resolve) => session.ping(() => resolve()));
  }
}

describe.each<[string, Open]>([
  ['createGate and holdWhile', onNode],
  ['Fastify', byPlugin],
  ['Hono', onHono],
  ['Nest on Fastify', onNest(fastifyAdapter, false)],
])('a concurrency limit on %s', (_name, open) => {
  it('bounds the handlers at work under HTTP/2 Rapid Reset', async () => {
    const port = await open(true);

    await rapidReset(port);

    expect(work.most).toBe(LIMIT);
  });
});

describe.each<[string, Open]>([
  [
    'a handler that @limited decorates, on Express',
    () => {
      const app = express();
      app.get('/', methodBy(expressLimited, () => work.handle()) as RequestHandler);
      return listening(createServer(app));
    },
  ],
  [
    'a handler that @limited decorates, on Fastify',
    onFastify(async (app) => void app.get('/', methodBy(fastifyLimited, () => work.handle()) as RouteHandlerMethod)),
  ],
  [
    'the config of a Fastify route',
    onFastify(async (app, handler) => {
      await app.register(fastifyLimit, { global: false });
      app.get('/', { config: { rateLimit: { limiter: work.limiter } } }, handler);
    }),
  ],
  [
    'a hook of a Fastify scope',
    onFastify(async (app, handler) => {
      await app.register(fastifyLimit, { global: false });
      app.addHook('onRequest', app.rateLimit({ limiter: work.limiter }));
      app.get('/', handler);
    }),
  ],
  ['a decorated handler of Nest', onNest(() => new ExpressAdapter(), true)],
])('a concurrency limit of %s', (_name, open) => {
  it('bounds the handlers at work when clients leave and others come', async () => {
    const port = await open(false);

    await floodAndLeave(port);

    expect(work.most).toBe(LIMIT);
  });
});

describe('a concurrency limit on Express', () => {
  const open = (...handlers: readonly RequestHandler[]) => {
    const app = express();
    app.get('/', ...handlers);
    return listening(createServer(app));
  };

  it('ends with the response of a handler without holdPermits', async () => {
    const port = await open(expressLimit({ limiter: work.limiter }), () => void work.handle());

    await floodAndLeave(port);

    expect(work.most).toBe(3 * LIMIT);
  });

  it('begins no handler in holdPermits whose client has left after the limit', async () => {
    let release!: () => void;
    const authenticated = new Promise<void>((resolve) => (release = resolve));
    const authenticate: RequestHandler = (_request, _response, next) => void authenticated.then(() => next());
    const limit = expressLimit({ limiter: work.limiter });
    const port = await open(
      limit,
      authenticate,
      holdPermits(() => work.handle()),
    );

    await floodAndLeave(port);
    release();
    await authenticated;

    expect(work.most).toBe(0);
  });
});
