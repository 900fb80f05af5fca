import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Dashboard } from '@sluice/dashboard';
import compression from 'compression';
import corsOfExpress from 'cors';
import helmet from 'helmet';
import { versions, type Express } from '../adapters/stacks/express.js';
import { closeServer, listen, siteAt, type Site } from '../support/site.js';

/** Puts a dashboard below `/a/sluice`, after what applications have before it: CORS, helmet and compression. */
type Mount = (dashboard: Dashboard) => Promise<Site>;

export const PREFIX = '/a/sluice';

/** Lets every site read answers, with the cookies of its visitor. */
const CORS = { origin: true, credentials: true };

const [[express5Name, express5], [express4Name, express4]] = versions as [[string, Express], [string, Express]];

/** A spec in a browser uses the first alone: the others load their framework when they start. */
export const mounts: readonly [name: string, mount: Mount][] = [
  [express5Name, mountOnExpress(express5)],
  [express4Name, mountOnExpress(express4)],
  [
    'Fastify 5',
    async (dashboard) => {
      const [{ fastify }, { default: cors }] = await Promise.all([import('fastify'), import('@fastify/cors')]);
      const app = fastify();
      await app.register(cors, CORS);
      app.addHook('onRequest', async (_request, reply) => {
        void reply.header('content-security-policy', 'upgrade-insecure-requests');
      });
      await app.register(dashboard.fastify, { prefix: PREFIX });
      await app.listen({ port: 0, host: '127.0.0.1' });
      const { port } = app.server.address() as AddressInfo;
      return siteAt({ host: '127.0.0.1', port }, () => app.close());
    },
  ],
  [
    'Nest on Express',
    async (dashboard) => {
      const { ExpressAdapter } = await import('@nestjs/platform-express');
      const { NestFactory } = await import('@nestjs/core');
      const app = await NestFactory.create<NestExpressApplication>(await rootModule(), new ExpressAdapter(), QUIET);
      app.enableCors(CORS);
      app.use(helmet(), compression({ threshold: 0 }));
      app.use(PREFIX, dashboard.handle);
      return listening(app);
    },
  ],
  [
    'Nest on Fastify',
    async (dashboard) => {
      const { FastifyAdapter } = await import('@nestjs/platform-fastify');
      const { NestFactory } = await import('@nestjs/core');
      const app = await NestFactory.create<NestFastifyApplication>(await rootModule(), new FastifyAdapter(), QUIET);
      app.enableCors(CORS);
      await app.register(dashboard.fastify, { prefix: PREFIX });
      return listening(app);
    },
  ],
];

const QUIET = { abortOnError: false, logger: false, forceCloseConnections: true } as const;

function mountOnExpress(express: Express): Mount {
  return async (dashboard) => {
    const app = express();
    app.use(corsOfExpress(CORS), helmet(), compression({ threshold: 0 }));
    app.use(PREFIX, dashboard.handle);
    const server = createServer(app);
    return siteAt(await listen(server), () => closeServer(server));
  };
}

async function listening(app: NestExpressApplication | NestFastifyApplication): Promise<Site> {
  await app.listen(0, '127.0.0.1');
  const port = Number(new URL(await app.getUrl()).port);
  return siteAt({ host: '127.0.0.1', port }, () => app.close());
}

async function rootModule(): Promise<new () => object> {
  const { Module } = await import('@nestjs/common');
  // oxlint-disable-next-line typescript/no-extraneous-class -- a module of Nest is a class
  class Root {}
  Module({})(Root);
  return Root;
}
