import underPressure from '@fastify/under-pressure';
import { shedder } from '@sluice/core/shed';
import { rateLimit } from '@sluice/fastify';
import Fastify, { type FastifyRequest } from 'fastify';
import type { AddressInfo } from 'node:net';
import { CONNECTIONS, PRIORITIES, WORK } from './flood.js';

// node server.ts sluice|under-pressure|nothing: a server whose requests take 5 ms of a core. It sends its port.
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
process.on('disconnect', () => process.exit());
process.send!((app.server.address() as AddressInfo).port);
