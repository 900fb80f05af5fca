import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { onFreePort } from '../../support/free-port.js';
import { startRedis, type RedisServer } from '../../support/redis.js';
import type { Fault, Scene } from './fault.js';
import { firstPong } from './pong.js';
import { command, serverScene } from './server-scene.js';

/** Faults of a server. */
export const serverFaults: readonly Fault[] = [
  {
    name: 'down at start',
    expects: { beginsEmpty: true, breaker: 'stays closed' },
    async set() {
      const port = await onFreePort((free) => Promise.resolve(free));
      let server: RedisServer | undefined;
      return {
        connection: { url: `redis://127.0.0.1:${port}` },
        strike: () => undefined,
        async heal() {
          server = await startRedis({ args: ['--port', String(port)] });
        },
        pong: () => firstPong(port),
        ports: () => [port],
        stop: async () => server?.stop(),
      };
    },
  },
  {
    name: 'killed',
    expects: { beginsEmpty: true },
    set: () => serverScene({ strike: kill, heal: (server) => server.restart() }),
  },
  {
    name: 'restarted empty',
    lasts: 500,
    expects: { forgets: true },
    set: () => serverScene({ strike: (server) => server.restart() }),
  },
  {
    name: 'stopped (SIGSTOP)',
    lasts: 5_000,
    expects: { breaker: 'opens' },
    set: () =>
      serverScene({
        strike: (server) => void server.process.kill('SIGSTOP'),
        heal: (server) => void server.process.kill('SIGCONT'),
      }),
  },
  {
    name: 'accepts no connection',
    set: acceptingNone,
  },
  {
    name: 'scripts flushed',
    expects: { degrades: false, breaker: 'stays closed' },
    set: () => serverScene({ strike: command((client) => client.script('FLUSH')) }),
  },
];

export async function kill(server: RedisServer): Promise<void> {
  server.process.kill('SIGKILL');
  await once(server.process, 'exit');
}

/**
 * A stopped server with a full backlog: it never answers the next connection. A firewall that drops packets looks the
 * same.
 */
async function acceptingNone(): Promise<Scene> {
  const waiting: Socket[] = [];
  return serverScene({
    args: ['--tcp-backlog', '1'],
    async strike(server) {
      await command((client) => client.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes'))(server);
      server.process.kill('SIGSTOP');
      waiting.push(...Array.from({ length: 4 }, () => connect(server.port, '127.0.0.1')));
      for (const socket of waiting) socket.on('error', () => undefined);
    },
    heal(server) {
      for (const socket of waiting) socket.destroy();
      server.process.kill('SIGCONT');
    },
  });
}
