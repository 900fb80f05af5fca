import { once } from 'node:events';
import type { Server } from 'node:http';
import { pipeline, Readable } from 'node:stream';
import { rateLimit as expressLimit } from '@sluice/express';
import { serve } from '@hono/node-server';
import { createWebGate } from '@sluice/http';
import { rateLimit as fastifyLimit } from '@sluice/fastify';
import { rateLimit as honoLimit } from '@sluice/hono';
import express from 'express';
import { fastify } from 'fastify';
import { Hono } from 'hono';
import { streamSSE } from 'hono/streaming';
import { closeServer, openListener, siteAt, type Site } from '../../support/site.js';
import { streamSuite } from './stream-suite.js';
import { ticks } from './ticks.js';

streamSuite('Express', async (limiter) => {
  const app = express();
  app.use(expressLimit({ limiter: limiter }));
  app.get('/endless', (_request, response) => void pipeline(ticks(), response, () => undefined));
  app.get('/failing', (_request, response) => void pipeline(ticks(3), response, () => undefined));
  app.get('/sse', (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const timer = setInterval(() => response.write('data: tick\n\n'), 1);
    response.on('close', () => clearInterval(timer));
  });
  return openListener(app);
});

streamSuite('Fastify', async (limiter) => {
  const app = fastify();
  await app.register(fastifyLimit, { limiter: limiter });
  app.get('/endless', (_request, reply) => reply.send(ticks()));
  app.get('/failing', (_request, reply) => reply.send(ticks(3)));
  app.get('/sse', (_request, reply) => {
    reply.hijack();
    reply.raw.writeHead(200, { 'content-type': 'text/event-stream' });
    const timer = setInterval(() => reply.raw.write('data: tick\n\n'), 1);
    reply.raw.on('close', () => clearInterval(timer));
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as { port: number };
  return siteAt({ host: '127.0.0.1', port }, () => app.close());
});

streamSuite('Hono', async (limiter) => {
  const app = new Hono();
  app.use(honoLimit({ limiter }));
  app.get('/endless', (c) => c.body(webTicks()));
  app.get('/failing', (c) => c.body(webTicks(3)));
  app.get('/sse', (c) =>
    streamSSE(c, async (stream) => {
      while (!stream.aborted) {
        await stream.writeSSE({ data: 'tick' });
        await stream.sleep(1);
      }
    }),
  );
  return openFetch(app.fetch);
});

streamSuite('the web gate', async (limiter) => {
  const gate = createWebGate({ limiter });
  return openFetch(async (request) => {
    const admission = await gate.admit(request, { ip: '127.0.0.1' });
    if (!admission.allowed) return admission.response();
    return admission.wrap(new Response(webTicks(request.url.endsWith('/failing') ? 3 : undefined)));
  });
});

function webTicks(failsAfter?: number): ReadableStream<Uint8Array> {
  return Readable.toWeb(ticks(failsAfter)) as ReadableStream<Uint8Array>;
}

async function openFetch(fetch: (request: Request) => Response | Promise<Response>): Promise<Site> {
  const server = serve({ fetch, port: 0, hostname: '127.0.0.1' }) as Server;
  await once(server, 'listening');
  return siteAt({ host: '127.0.0.1', port: (server.address() as { port: number }).port }, () => closeServer(server));
}
