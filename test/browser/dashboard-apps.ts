import 'reflect-metadata';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import fastifyHelmet from '@fastify/helmet';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Dashboard } from '@sluice/dashboard';
import compression from 'compression';
import express from 'express';
import fastify from 'fastify';
import helmet from 'helmet';

/** Decides a request of the application: true if it is admitted. */
export type Decide = (request: IncomingMessage) => Promise<boolean>;

export interface DashboardApp {
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
}

/** Starts an application with a limited route at `/` and the dashboard at `/sluice`, behind helmet and compression. */
type Start = (dashboard: Dashboard, decide: Decide) => Promise<DashboardApp>;

class Empty {}
Module({})(Empty);

const answer = (decide: Decide) => async (request: IncomingMessage, response: ServerResponse) => {
  response.statusCode = (await decide(request)) ? 200 : 429;
  response.end();
};

/** Applications of each framework, for `describe.each`. */
export const dashboardApps: readonly (readonly [name: string, start: Start])[] = [
  [
    'Express 5',
    async (dashboard, decide) => {
      const app = express();
      app.use(helmet(), compression({ threshold: 0 }));
      app.use('/sluice', dashboard.handle);
      app.get('/', answer(decide));
      const server = createServer(app).listen(0, '127.0.0.1');
      await new Promise((resolve) => server.once('listening', resolve));
      return appOf(server, dashboard, () => new Promise((resolve) => void server.close(() => resolve())));
    },
  ],
  [
    'Fastify 5',
    async (dashboard, decide) => {
      const app = fastify();
      await app.register(fastifyHelmet);
      await app.register(dashboard.fastify, { prefix: '/sluice' });
      app.get('/', async ({ raw }, reply) => reply.code((await decide(raw)) ? 200 : 429).send());
      await app.listen({ port: 0, host: '127.0.0.1' });
      return appOf(app.server, dashboard, () => app.close());
    },
  ],
  [
    'Nest on Express',
    async (dashboard, decide) => {
      const app = await NestFactory.create(Empty, new ExpressAdapter(), { logger: false });
      app.use(helmet(), compression({ threshold: 0 }));
      app.use('/sluice', dashboard.handle);
      (app.getHttpAdapter() as ExpressAdapter).get('/', answer(decide) as never);
      await app.listen(0, '127.0.0.1');
      return appOf(app.getHttpServer() as Server, dashboard, () => app.close());
    },
  ],
  [
    'Nest on Fastify',
    async (dashboard, decide) => {
      const app = await NestFactory.create<NestFastifyApplication>(Empty, new FastifyAdapter(), { logger: false });
      await app.register(fastifyHelmet as never);
      await app.register(dashboard.fastify as never, { prefix: '/sluice' });
      app
        .getHttpAdapter()
        .getInstance()
        .get('/', async ({ raw }, reply) => reply.code((await decide(raw)) ? 200 : 429).send());
      await app.listen(0, '127.0.0.1');
      return appOf(app.getHttpServer() as Server, dashboard, () => app.close());
    },
  ],
];

function appOf(server: Server, dashboard: Dashboard, stop: () => Promise<void>): DashboardApp {
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    async close() {
      dashboard.close();
      await stop();
    },
  };
}
