import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { redisServer } from '../../scripts/redis-server.mjs';
import { PortTaken } from './free-port.js';
import { guard } from './guard.js';

export interface RedisProcessOptions {
  port: number;
  /** The folder of the socket and of all files of the server. */
  directory: string;
  args: readonly string[];
}

export interface RedisProcess {
  readonly port: number;
  readonly child: ChildProcess;
  /** The server's Unix socket. */
  readonly path: string;
  /** Kills the server, which stores nothing, and resolves when it has exited. */
  end(): Promise<void>;
}

/** Starts a redis-server without persistence, and resolves when it replies. */
export async function startRedisProcess({ port, directory, args }: RedisProcessOptions): Promise<RedisProcess> {
  const path = join(directory, 'redis.sock');
  const place = ['--bind', '127.0.0.1', '--port', String(port), '--dir', directory, '--unixsocket', path];
  const child = spawn(redisServer(), [...place, '--save', '', '--appendonly', 'no', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const closed = once(child, 'close');
  await once(child, 'spawn');
  const release = guard(child, directory);
  let log = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => (log = (log + chunk.toString()).slice(-4_000)));
  }

  // Over the socket, because another server could reply on a port that it just took.
  while (isRunning(child) && !(await answers(path))) await delay(10);
  if (isRunning(child)) {
    const end = async () => {
      child.kill('SIGKILL');
      await closed;
      release();
    };
    return { child, port, path, end };
  }

  await closed;
  release();
  throw log.includes('Address already in use') ? new PortTaken(log) : new Error(`redis-server did not start:\n${log}`);
}

function isRunning(child: ChildProcess): boolean {
  return child.exitCode === null && child.signalCode === null;
}

/** A server that requires a password is up as well. */
function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path, () => socket.write('PING\r\n'));
    const settle = (up: boolean) => {
      socket.destroy();
      resolve(up);
    };
    socket.once('data', (reply) => settle(/^(\+PONG|-NOAUTH)/.test(reply.toString())));
    socket.once('error', () => settle(false));
    socket.once('close', () => settle(false));
  });
}
