import cluster from 'node:cluster';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createGate } from '@sluice/http';
import { sentTimes, shedder } from '@sluice/overload';

// A worker with two shedders, and what it warns of. The argument says how it gets its connections.
const [, , way] = process.argv;
const sent = way === 'stamps' ? { header: 'x-request-start', from: ['loopback'] } : undefined;

if (cluster.isPrimary) {
  if (way === 'none') cluster.schedulingPolicy = cluster.SCHED_NONE;
  const worker = cluster.fork();
  // A worker that accepts its own connections does not tell the primary that it listens.
  const [port] = await once(worker, 'message');
  worker.on('message', (text) => console.log(text));
  for (let request = 0; request < 2; request += 1) {
    const answer = await fetch(`http://127.0.0.1:${port}`, { headers: { connection: 'close' } });
    console.log(answer.status);
  }
  // Its own server does not end with its connection to the primary.
  worker.kill();
} else {
  process.on('warning', (warning) => {
    const { code, message } = /** @type {NodeJS.ErrnoException} */ (warning);
    if (code?.startsWith('SLUICE_SHED')) process.send?.(`${code} ${message}`);
  });
  const gates = [1, 2].map(() =>
    createGate({
      limit: 100,
      window: '1m',
      name: 'minute',
      headers: [],
      shed: shedder(sent && { features: [sentTimes(sent)] }),
    }),
  );
  /** @param {import('node:http').IncomingMessage} request @param {import('node:http').ServerResponse} response */
  const answer = async (request, response) => {
    for (const gate of gates) await gate.admit(request, response);
    // A warning is emitted in the next tick.
    setImmediate(() => response.end());
  };
  const server = createServer((request, response) => void answer(request, response));
  server.listen({ port: 0, host: '127.0.0.1', reusePort: way === 'reusePort' }, () => {
    process.send?.(/** @type {import('node:net').AddressInfo} */ (server.address()).port);
  });
}
