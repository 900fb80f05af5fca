import { once } from 'node:events';
import { Redis } from 'ioredis';
import type { Wire } from '../support/wire.js';
import type { RedisServer } from '../support/redis.js';
import { ask } from './server-scene.js';

/** What a soak strikes: a server, and the wire that its limiters reach it by. */
export interface SoakScene {
  readonly server: RedisServer;
  readonly wire: Wire;
}

/** Something that goes wrong, and is put right, in a scene that goes on. */
export interface SoakFault {
  readonly name: string;
  strike(scene: SoakScene): unknown;
  heal(scene: SoakScene): unknown;
  /** Counters are lost. @default false */
  readonly forgets?: boolean;
}

/** Those of the table that one server can go through again and again. */
export const soakFaults: readonly SoakFault[] = [
  { name: 'killed', forgets: true, strike: kill, heal: ({ server }) => server.restart() },
  { name: 'restarted empty', forgets: true, strike: ({ server }) => server.restart(), heal: nothing },
  {
    name: 'stopped (SIGSTOP)',
    strike: ({ server }) => server.process.kill('SIGSTOP'),
    heal: ({ server }) => server.process.kill('SIGCONT'),
  },
  asked('scripts flushed', (client) => client.script('FLUSH'), nothing),
  asked('connections killed', (client) => client.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes'), nothing),
  { name: 'slow by 200 ms', strike: ({ wire }) => wire.slow(200), heal: ({ wire }) => wire.slow(0) },
  { name: 'black hole', strike: ({ wire }) => wire.blackHole(), heal: ({ wire }) => wire.thaw() },
  // What hangs would hang for ever, and be taken for a handle that the limiter has left open.
  { name: 'half-open', strike: ({ wire }) => wire.freeze(), heal: ({ wire }) => wire.thaw() },
  {
    name: 'reply lost after execution',
    strike: ({ wire }) => wire.swallowReplies(),
    heal: ({ wire }) => wire.cut(),
  },
  { name: 'reset in a reply', strike: ({ wire }) => wire.tearReplies(), heal: nothing },
  asked(
    'memory full (OOM)',
    (client) => client.config('SET', 'maxmemory', 1),
    (client) => client.config('SET', 'maxmemory', 0),
  ),
  asked(
    'demoted (READONLY)',
    // Nobody is there to be followed.
    (client) => client.replicaof('127.0.0.1', 1),
    (client) => client.replicaof('NO', 'ONE'),
  ),
  {
    name: 'busy with a script (BUSY)',
    strike: loop,
    heal: ({ server }) => ask((client) => client.script('KILL'))(server),
  },
  asked(
    'no permission (NOPERM)',
    (client) => client.acl('SETUSER', 'default', '-eval', '-evalsha'),
    (client) => client.acl('SETUSER', 'default', '+eval', '+evalsha'),
  ),
];

type Act = (client: Redis) => Promise<unknown>;

function asked(name: string, strike: Act, heal: Act | typeof nothing): SoakFault {
  return {
    name,
    strike: ({ server }) => ask(strike)(server),
    heal: ({ server }) => ask(async (client) => heal(client))(server),
  };
}

async function kill({ server }: SoakScene): Promise<void> {
  server.process.kill('SIGKILL');
  await once(server.process, 'exit');
}

/** A script without an end. Nobody waits for it. */
function loop({ server }: SoakScene): void {
  const client = new Redis(server.port, { maxRetriesPerRequest: 0 });
  client.on('error', () => undefined);
  void client
    .eval('while true do end', 0)
    .catch(() => undefined)
    .finally(() => client.disconnect());
}

function nothing(): void {
  // It has passed already.
}
