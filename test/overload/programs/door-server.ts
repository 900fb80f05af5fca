import { readdirSync } from 'node:fs';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createGate } from '../../../packages/http/src/index.js';
import { subscribe } from '../../../packages/core/src/events/events.js';
import { doorEvent, shedder } from '../../../packages/overload/src/index.js';
import { usedHeap } from '../../resilience/soak/samples.js';

// node door-server.ts [headersTimeout]: a server whose requests are all critical. It sends its port, and its state when asked.

/** What a server with a door says of itself. */
export interface DoorServerState {
  readonly descriptors: number;
  /** Bytes, after a collection. */
  readonly heap: number;
  readonly served: number;
  /** The most that were let in together. */
  readonly most: number;
}

let [served, most] = [0, 0];
const gate = createGate({
  limit: 100_000_000,
  window: '1h',
  name: 'all',
  key: () => 'all',
  headers: [],
  shed: shedder({ priority: () => 'critical' }),
});
subscribe(doorEvent, ({ held }) => (most = Math.max(most, held)));

const server = createServer({ connectionsCheckingInterval: 200 }, (request, response) => {
  void Promise.resolve(gate.admit(request, response)).then(({ state }) => {
    if (state === 'admitted') served += 1;
    response.end();
  });
});
server.headersTimeout = Number(process.argv[2] ?? 60_000);
server.keepAliveTimeout = 600_000;
await once(server.listen(0, '127.0.0.1'), 'listening');

process.on('message', () => {
  const state: DoorServerState = {
    descriptors: readdirSync('/proc/self/fd').length,
    heap: usedHeap(),
    served,
    most,
  };
  process.send!(state);
});
process.on('disconnect', () => process.exit());
process.send!((server.address() as AddressInfo).port);
