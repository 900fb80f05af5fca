import diagnostics from 'node:diagnostics_channel';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import type { AddressInfo } from 'node:net';
import type { ServerName } from './terms.js';

// node calm-server.ts express [queues]: the same application with a shedder, and twice without, in one process: two processes run code
// that is compiled in two ways, which differ by more than a shedder. It sends three ports, and what it has used when asked.

/** Which of the three is asked next. */
export type CalmQuestion = { readonly turn: number };
/** Microseconds of processor. */
export type CalmAnswer = { readonly used: number };

const SHEDDING = 0;

/** The door of the shedder, which sees the connections of all three. */
let door: Parameters<typeof diagnostics.subscribe> | undefined;
const { subscribe } = diagnostics;
diagnostics.subscribe = (...subscription) => {
  door = subscription;
  subscribe(...subscription);
};
syncBuiltinESMExports();
const { appOf } = await import('./apps.js');

const [, , server, queues] = process.argv as [string, string, ServerName, string | undefined];
const ports: number[] = [];
for (const sheds of [queues === 'queues' ? 'queues' : undefined, 'never', 'never'] as const) {
  const app = appOf({ server, sheds, transport: 'tcp', folder: '', work: 0 });
  const listening = await app.serve((listener) => createServer((...exchange) => void listener(...exchange)));
  listening.keepAliveTimeout = 600_000;
  await once(listening.listen(0, '127.0.0.1'), 'listening');
  ports.push((listening.address() as AddressInfo).port);
}

let isOpen = true;
process.on('message', ({ turn }: CalmQuestion) => {
  if (door !== undefined && isOpen !== (turn === SHEDDING)) {
    isOpen = !isOpen;
    if (isOpen) subscribe(...door);
    else diagnostics.unsubscribe(...door);
  }
  const { user, system } = process.cpuUsage();
  const answer: CalmAnswer = { used: user + system };
  process.send!(answer);
});
process.on('disconnect', () => process.exit());
process.send!(ports);
