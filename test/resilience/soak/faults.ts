import type { Redis } from 'ioredis';
import type { Wire } from '../../support/wire.js';
import type { RedisServer } from '../../support/redis.js';
import { loop } from '../faults/refusal-faults.js';
import { kill } from '../faults/server-faults.js';
import { command } from '../faults/server-scene.js';

/** A server, and the wire between it and the limiters. */
export interface SoakScene {
  readonly server: RedisServer;
  readonly wire: Wire;
}

/** A fault that a soak test starts and ends many times. */
export interface SoakFault {
  readonly name: string;
  strike(scene: SoakScene): unknown;
  heal(scene: SoakScene): unknown;
  /** Counters are lost. @default false */
  readonly forgets?: boolean;
}

/** The faults of the table that one server can survive many times. */
export const soakFaults: readonly SoakFault[] = [
  { name: 'killed', forgets: true, strike: ({ server }) => kill(server), heal: ({ server }) => server.restart() },
  { name: 'restarted empty', forgets: true, strike: ({ server }) => server.restart(), heal: nothing },
  {
    name: 'stopped (SIGSTOP)',
    strike: ({ server }) => server.process.kill('SIGSTOP'),
    heal: ({ server }) => server.process.kill('SIGCONT'),
  },
  byCommand('scripts flushed', (client) => client.script('FLUSH'), nothing),
  byCommand(
    'connections killed',
    (client) => client.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes'),
    nothing,
  ),
  { name: 'slow by 200 ms', strike: ({ wire }) => wire.slow(200), heal: ({ wire }) => wire.slow(0) },
  { name: 'black hole', strike: ({ wire }) => wire.blackHole(), heal: ({ wire }) => wire.thaw() },
  // Without a thaw these sockets would stay open, and count as leaked handles.
  { name: 'half-open', strike: ({ wire }) => wire.freeze(), heal: ({ wire }) => wire.thaw() },
  {
    name: 'reply lost after execution',
    strike: ({ wire }) => wire.swallowReplies(),
    heal: ({ wire }) => wire.cut(),
  },
  { name: 'reset in a reply', strike: ({ wire }) => wire.tearReplies(), heal: nothing },
  byCommand(
    'memory full (OOM)',
    (client) => client.config('SET', 'maxmemory', 1),
    (client) => client.config('SET', 'maxmemory', 0),
  ),
  byCommand(
    'demoted (READONLY)',
    (client) => client.replicaof('127.0.0.1', 1),
    (client) => client.replicaof('NO', 'ONE'),
  ),
  {
    name: 'busy with a script (BUSY)',
    strike: ({ server }) => loop(server),
    heal: ({ server }) => command((client) => client.script('KILL'))(server),
  },
  byCommand(
    'no permission (NOPERM)',
    (client) => client.acl('SETUSER', 'default', '-eval', '-evalsha'),
    (client) => client.acl('SETUSER', 'default', '+eval', '+evalsha'),
  ),
];

type Act = (client: Redis) => Promise<unknown>;

function byCommand(name: string, strike: Act, heal: Act | typeof nothing): SoakFault {
  return {
    name,
    strike: ({ server }) => command(strike)(server),
    heal: ({ server }) => command(async (client) => heal(client))(server),
  };
}

function nothing(): void {
  // The fault ends by itself.
}
