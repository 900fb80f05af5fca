import underPressure from '@fastify/under-pressure';
import { shedder } from '@sluice/core/shed';
import { rateLimit } from '@sluice/fastify';
import Fastify, { type FastifyRequest } from 'fastify';
import type { AddressInfo } from 'node:net';
import { overloadedShedder } from '../support/manual-loop.js';
import { CONNECTIONS, PRIORITIES, WORK } from './flood.js';

// node server.ts sluice|under-pressure|nothing: a server whose requests take 5 ms of a core. It sends its port.
// node server.ts node|hook|shedder: one that refuses them, and answers messages with the time that it has worked.
const [kind] = process.argv.slice(2);
const app = Fastify({ trustProxy: '127.0.0.1' });
const work = (milliseconds: number) => {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
};

if (kind === 'under-pressure') await app.register(underPressure, { maxEventLoopDelay: 100, sampleInterval: 100 });
if (kind === 'sluice') {
  const priority = ({ url }: FastifyRequest) => PRIORITIES.find((each) => url.startsWith(`/${each}`)) ?? 'critical';
  await app.register(rateLimit, { limit: 1_000_000, window: '1m', shed: shedder({ priority }) });
}
if (kind === 'shedder') await app.register(rateLimit, { limit: 1_000_000, window: '1m', shed: overloadedShedder() });
const refusal = JSON.stringify({ title: 'Service Unavailable', status: 503, detail: 'Retry in 3 seconds.' });
if (kind === 'hook') {
  app.addHook('onRequest', (_request, reply, _done) => {
    void reply.code(503).header('retry-after', '3').type('application/problem+json').send(refusal);
  });
}
if (kind === 'node') {
  app.addHook('onRequest', (_request, reply, _done) => {
    const headers = ['retry-after', '3', 'content-type', 'application/problem+json'];
    reply.hijack();
    reply.raw.writeHead(503, [...headers, 'content-length', String(refusal.length)]).end(refusal);
  });
}
for (const priority of PRIORITIES) {
  app.get(`/${priority}`, async () => {
    work(WORK);
    return 'done';
  });
}
let open = 0;
let release: () => void;
const allOpen = new Promise<void>((resolve) => (release = resolve));
app.get('/open', async () => {
  open += 1;
  if (open === CONNECTIONS) release();
  await allOpen;
  return 'open';
});
app.get('/pause', async () => {
  work(300);
  return 'done';
});

await app.listen({ port: 0, host: '127.0.0.1' });
process.on('message', () => process.send!(process.cpuUsage()));
process.on('disconnect', () => process.exit());
process.send!((app.server.address() as AddressInfo).port);
