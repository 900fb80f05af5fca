import { pipeline } from 'node:stream';
import { rateLimit as expressLimit } from '@sluice/express';
import { rateLimit as fastifyLimit } from '@sluice/fastify';
import express from 'express';
import { fastify } from 'fastify';
import { openListener, siteAt } from '../../support/site.js';
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
