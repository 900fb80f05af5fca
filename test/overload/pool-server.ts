import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import underPressure from '@fastify/under-pressure';
import { rateLimit } from '@sluice/express';
import { shedder, type Priority } from '@sluice/overload';
import { deadline, queueDelay } from '@sluice/overload/queues';
import express, { type Request } from 'express';
import Fastify from 'fastify';
import { Pool } from 'pg';
import type { PoolServerSetup, PoolState } from './pool-terms.js';
import { PRIORITIES } from './terms.js';

const setup = JSON.parse(process.argv[2]!) as PoolServerSetup;
const database = queueDelay('database');
const plain = new Pool({ ...setup.connection, max: setup.max });
const pool = setup.server === 'queue' ? database.watch(plain) : plain;
plain.on('error', () => {});
let [troubled, queries] = [0, 0];

function priorityOf(url: string): Priority {
  return PRIORITIES.find((each) => url.endsWith(`/${each}`)) ?? 'critical';
}

/** `/free/…` needs no connection, `/1/…` has it for a millisecond. */
async function answer(url: string): Promise<string> {
  if (url.startsWith('/free')) return 'free';
  const [, milliseconds] = /^\/(\d+)\//.exec(url) ?? [];
  const query = milliseconds === undefined ? setup.query : Number(milliseconds) / 1e3;
  const client = await pool.connect();
  queries += 1;
  try {
    await client.query('SELECT pg_sleep($1)', [query]);
  } finally {
    client.release();
  }
  return 'done';
}

function expressApp(): Server {
  const app = express();
  if (setup.server === 'queue') {
    const priority = ({ url }: Request) => ({
      is: priorityOf(url),
      needs: url.startsWith('/free') ? [] : [database],
    });
    // As a proxy says it: clients that have one address are refused together.
    const key = ({ headers }: Request) => String(headers['x-forwarded-for']);
    const shed = shedder<Request>({ priority, key, features: [database, deadline('1s')] });
    app.use(rateLimit({ limit: 10_000_000, window: '1m', shed }));
  }
  if (setup.server === 'limit') {
    const limit = { name: 'running', key: () => 'all', algorithm: 'concurrency', limit: setup.limit } as const;
    app.use(rateLimit({ tiers: [limit], skip: ({ url }: Request) => url.startsWith('/free') }));
  }
  app.get('/{*path}', async ({ url }, response) => void response.send(await answer(url)));
  // The error of the queue says how it is answered, and is no fault to log.
  app.set('env', 'test');
  return createServer(app);
}

async function fastifyApp(): Promise<Server> {
  const app = Fastify();
  await app.register(underPressure, { maxEventLoopDelay: 100, sampleInterval: 100 });
  app.get('/*', async ({ url }) => answer(url));
  await app.ready();
  return app.server;
}

const server = setup.server === 'under-pressure' ? await fastifyApp() : expressApp();
server.keepAliveTimeout = 600_000;
server.listen(0, '127.0.0.1');
await once(server, 'listening');
setInterval(() => {
  if (database.level > 0) troubled = Date.now();
}, 10);
process.on('message', () => process.send!({ level: database.level, troubled, queries } satisfies PoolState));
process.on('disconnect', () => process.exit());
process.send!({ port: (server.address() as AddressInfo).port });
