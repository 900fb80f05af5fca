import { Redis } from 'ioredis';
import { closedPort } from '../../support/listener.js';
import type { Fault } from './fault.js';
import { TIER } from '../traffic/limiters.js';
import { command, serverScene, type Action } from './server-scene.js';

/** The user of stores, whose rights the scene changes as another user. */
const USER = 'limiter';
const PASSWORD = 'right';

/** Reasons why a running server refuses commands. */
export const refusalFaults: readonly Fault[] = [
  {
    name: 'memory full (OOM)',
    expects: { breaker: 'opens' },
    set: () => serverScene({ strike: configure('maxmemory', 1), heal: configure('maxmemory', 0) }),
  },
  {
    name: 'demoted (READONLY)',
    set: () => serverScene({ strike: demote, heal: promote }),
  },
  {
    name: 'without its primary (MASTERDOWN)',
    expects: { breaker: 'opens' },
    set: () => serverScene({ args: ['--replica-serve-stale-data', 'no'], strike: demote, heal: promote }),
  },
  {
    name: 'loading its data (LOADING)',
    lasts: 1_000,
    expects: { forgets: true },
    async set() {
      // A millisecond a key, with replies to clients in between.
      const args = ['--key-load-delay', '1000', '--loading-process-events-interval-bytes', '1024'];
      let loaded: Promise<void> | undefined;
      return serverScene({
        args,
        prepare: saveKeys(1_500),
        strike: (server) => void (loaded = server.restart()),
        heal: () => loaded,
      });
    },
  },
  {
    name: 'busy with a script (BUSY)',
    expects: { breaker: 'opens' },
    set: () =>
      serverScene({
        args: ['--busy-reply-threshold', '20'],
        strike: loop,
        heal: command((client) => client.script('KILL')),
      }),
  },
  {
    name: 'no permission (NOPERM)',
    expects: { breaker: 'stays closed', configFaults: 1 },
    set: () =>
      serverScene({
        user: `${USER}:${PASSWORD}`,
        prepare: grant('on', `>${PASSWORD}`, '~rl:*', '+@all'),
        strike: grant('-evalsha', '-eval'),
        heal: grant('+evalsha', '+eval'),
      }),
  },
  {
    name: 'wrong password (WRONGPASS)',
    expects: { breaker: 'stays closed', configFaults: 1, connects: false },
    set: () =>
      serverScene({
        user: `${USER}:wrong`,
        prepare: grant('on', `>${PASSWORD}`, '~rl:*', '+@all'),
        heal: grant('>wrong'),
      }),
  },
  {
    name: 'TLS to a plain port',
    expects: { breaker: 'stays closed', heals: false, configFaults: 1, connects: false },
    set: () => serverScene({ protocol: 'rediss:' }),
  },
  {
    name: 'keys of another type (WRONGTYPE)',
    expects: { breaker: 'stays closed', forgets: true },
    set: () => serverScene({ strike: command(spoilKeys), heal: command(mendKeys) }),
  },
];

/** Makes the server a replica of an unreachable primary. */
const demote = command(async (client) => client.replicaof('127.0.0.1', await closedPort()));
const promote = command((client) => client.replicaof('NO', 'ONE'));

function configure(name: string, value: number): Action {
  return command((client) => client.config('SET', name, value));
}

function grant(...rules: string[]): Action {
  return command((client) => client.acl('SETUSER', USER, ...rules));
}

function saveKeys(count: number): Action {
  return command(async (client) => {
    await client.mset(Array.from({ length: count }, (_, index) => [`other:${index}`, 'some value']).flat());
    await client.save();
  });
}

/** Starts a script without an end. */
export function loop({ port }: { readonly port: number }): void {
  const client = new Redis(port, { maxRetriesPerRequest: 0 });
  client.on('error', () => undefined);
  void client.eval('while true do end', 0).catch(() => client.disconnect());
}

/** Puts a list into every second key of each tier. */
async function spoilKeys(client: Redis): Promise<void> {
  const byTier = (await counters(client)).toSorted((one, other) => (tierOf(one) < tierOf(other) ? -1 : 1));
  for (const key of byTier.filter((_, index) => index % 2 === 0)) {
    await client.multi().del(key).rpush(key, 'not a counter').exec();
  }
}

async function mendKeys(client: Redis): Promise<void> {
  for (const key of await counters(client)) {
    if ((await client.type(key)) === 'list') await client.del(key);
  }
}

function counters(client: Redis): Promise<string[]> {
  return client.keys(`rl:*:${TIER}*`);
}

function tierOf(key: string): string {
  return key.split('}')[1]!;
}
