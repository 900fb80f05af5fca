import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { PortTaken } from './free-port.js';
import { guard } from './guard.js';

interface PortProcess {
  readonly file: string;
  readonly args: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** Removed when this process ends without ending the other one. */
  readonly directory: string;
  /** The number of the user that the program runs as. @default that of this process */
  readonly user?: number | undefined;
}

/**
 * Starts a program that writes its log to stderr, and resolves with its end when it listens.
 *
 * @throws PortTaken
 */
export async function startOnPort(port: number, { file, args, environment, directory, user }: PortProcess) {
  const env = { ...process.env, ...environment };
  const owner = user === undefined ? {} : { uid: user, gid: user };
  const child = spawn(file, args, { stdio: ['ignore', 'ignore', 'pipe'], env, ...owner });
  const closed = once(child, 'close');
  await once(child, 'spawn');
  const release = guard(child, directory);
  let log = '';
  child.stderr.on('data', (chunk: Buffer) => (log += chunk.toString()));
  const isRunning = () => child.exitCode === null && child.signalCode === null;

  while (isRunning() && !(await listens(port))) await delay(10);
  const end = async () => {
    child.kill('SIGTERM');
    await closed;
    release();
  };
  if (isRunning()) return { port, end };

  await closed;
  release();
  throw /address already in use|cannot bind/i.test(log) ? new PortTaken(log) : new Error(`it did not start:\n${log}`);
}

async function listens(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  const [answer] = await Promise.allSettled([once(socket, 'connect')]);
  socket.destroy();
  return answer.status === 'fulfilled';
}
