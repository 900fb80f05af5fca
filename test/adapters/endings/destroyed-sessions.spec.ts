import { once, type EventEmitter } from 'node:events';
import type { RequestListener } from 'node:http';
import { connect, createServer as createHttp2Server, type ServerHttp2Session } from 'node:http2';
import type { AddressInfo, Server } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { Controller, Get, Module } from '@nestjs/common';
import { APP_GUARD, NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import {
  createGate,
  createLimiter,
  holdWhile,
  memoryStore,
  type Admission,
  type HttpRequest,
  type Limiter,
} from '@sluice/http';
import { rateLimit as fastifyLimit } from '@sluice/fastify';
import { rateLimit as honoLimit } from '@sluice/hono';
import { RateLimitGuard, RateLimitModule } from '@sluice/nestjs';
import { fastify } from 'fastify';
import { Hono } from 'hono';
import { until } from '../../support/until.js';

const STREAMS = 60;
const LIMIT = 1_000;

const closers: (() => unknown)[] = [];
let limiter: Limiter<HttpRequest>;

beforeEach(() => {
  const running = { name: 'running', key: () => 'all', algorithm: 'concurrency', limit: LIMIT, hold: '1s' } as const;
  limiter = createLimiter<HttpRequest>({ store: memoryStore(), tiers: [running] });
});

async function held(): Promise<number> {
  const [inspection] = await limiter.inspect({});
  return LIMIT - inspection!.outcome.remaining;
}

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

let calls = 0;

/** Handlers of different lengths, in turn. */
function work(): Promise<string> | string {
  calls += 1;
  const wait = [0, 0, 3, 10][calls % 4]!;
  return wait === 0 ? 'served' : new Promise((resolve) => void setTimeout(() => resolve('served'), wait));
}

/** Node keeps some sessions whose clients have left, and a server would wait for them. */
function destroySessions(server: EventEmitter): void {
  server.on('session', (session: ServerHttp2Session) => closers.unshift(() => session.destroy()));
}

async function listening(server: Server): Promise<number> {
  destroySessions(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(() => server.close());
  return (server.address() as AddressInfo).port;
}

const gateListener: RequestListener = (request, response) => {
  const gate = createGate<HttpRequest>({ limiter });
  const end = () => void response.end('served');
  const answer = ({ state }: Admission) => {
    const worked = state === 'admitted' && holdWhile(request, work);
    if (worked instanceof Promise) void worked.then(end);
    else if (state !== 'ended') end();
  };
  const admission = gate.admit(Object.assign(request, { ip: '127.0.0.1' }), response);
  if (admission instanceof Promise) void admission.then(answer);
  else answer(admission);
};

async function onFastify(): Promise<number> {
  const app = fastify({ http2: true });
  await app.register(fastifyLimit, { limiter } as never);
  app.get('/', work);
  closers.push(() => app.close());
  destroySessions(app.server);
  await app.listen({ port: 0, host: '127.0.0.1' });
  return (app.server.address() as AddressInfo).port;
}

function onHono(): Promise<number> {
  const app = new Hono();
  app.use(honoLimit({ limiter }));
  app.get('/', async (c) => c.text(await work()));
  return listening(createAdaptorServer({ fetch: app.fetch, createServer: createHttp2Server }));
}

async function onNest(): Promise<number> {
  class Api {
    answer() {
      return work();
    }
  }
  Get()(Api.prototype, 'answer', Object.getOwnPropertyDescriptor(Api.prototype, 'answer')!);
  Controller()(Api);
  // oxlint-disable-next-line typescript/no-extraneous-class -- a module of Nest is a class
  class Root {}
  Module({
    imports: [RateLimitModule.forRoot({ limiter })],
    controllers: [Api],
    providers: [{ provide: APP_GUARD, useExisting: RateLimitGuard }],
  })(Root);
  const adapter = new FastifyAdapter({ http2: true } as object);
  const app = await NestFactory.create(Root, adapter, { logger: false, forceCloseConnections: true });
  destroySessions(app.getHttpServer() as EventEmitter);
  await app.listen(0, '127.0.0.1');
  closers.push(() => app.close());
  return Number(new URL(await app.getUrl()).port);
}

/** Opens a session with streams, and destroys it so soon. */
async function leave(port: number, after: number, isConnected: boolean): Promise<void> {
  const session = connect(`http://127.0.0.1:${port}`).on('error', () => undefined);
  if (isConnected) await once(session, 'connect');
  for (let count = 0; count < STREAMS; count += 1) session.request({ ':path': '/' }).on('error', () => undefined);
  await new Promise((resolve) => void setTimeout(resolve, after));
  session.destroy();
}

describe.each<[string, () => Promise<number>]>([
  ['the bare gate', () => listening(createHttp2Server(gateListener as never))],
  ['Fastify', onFastify],
  ['Hono', onHono],
  ['Nest', onNest],
])('permits of sessions of HTTP/2 on %s', (_name, open) => {
  it('come back when clients destroy their sessions at any moment', async () => {
    const port = await open();

    for (const isConnected of [true, false]) {
      for (const after of [0, 3, 6, 9, 12]) await leave(port, after, isConnected);
    }

    await expect(until(async () => (await held()) === 0)).resolves.toBeUndefined();
  });
});
