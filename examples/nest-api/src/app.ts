import type { INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Store } from '@sluice/nestjs';
import { AppModule } from './app.module.js';

// Behind a proxy all clients have its address, and share one limit, until you say whom to believe: of Express that is
// app.set('trust proxy', 'loopback'), of Fastify { trustProxy: 'loopback' }. Never `true`, which believes every client.

// What goes wrong at the start is said by main.ts, and later by the filter of errors.
const options = { abortOnError: false, logger: false } as const;

/** What makes the application, by what it stands on: the other one is not loaded. */
export const platforms = {
  async express(store: Store): Promise<INestApplication> {
    const { ExpressAdapter } = await import('@nestjs/platform-express');
    const app = await NestFactory.create<NestExpressApplication>(AppModule.countingIn(store), new ExpressAdapter(), {
      ...options,
      bodyParser: false,
    });
    app.disable('x-powered-by');
    return app.useBodyParser('json', { limit: '1kb' });
  },

  async fastify(store: Store): Promise<INestApplication> {
    const { FastifyAdapter } = await import('@nestjs/platform-fastify');
    return NestFactory.create(AppModule.countingIn(store), new FastifyAdapter({ bodyLimit: 1024 }), options);
  },
};
