import type { INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Store } from '@sluice/nestjs';
import { AppModule } from './app.module.js';

// Behind a proxy, all clients share its address and one limit, unless the app trusts the proxy: on Express with
// app.set('trust proxy', 'loopback'), on Fastify with { trustProxy: 'loopback' }. Never `true`: clients could claim any
// address.

// main.ts reports errors at the start, and ErrorFilter later ones.
const options = { abortOnError: false, logger: false } as const;

/** Creates the application on a platform. Loads only that platform. */
export const platforms = {
  async express(store: Store): Promise<INestApplication> {
    const { ExpressAdapter } = await import('@nestjs/platform-express');
    const app = await NestFactory.create<NestExpressApplication>(AppModule.withStore(store), new ExpressAdapter(), {
      ...options,
      bodyParser: false,
    });
    app.disable('x-powered-by');
    return app.useBodyParser('json', { limit: '1kb' });
  },

  async fastify(store: Store): Promise<INestApplication> {
    const { FastifyAdapter } = await import('@nestjs/platform-fastify');
    return NestFactory.create(AppModule.withStore(store), new FastifyAdapter({ bodyLimit: 1024 }), options);
  },
};
