import { once } from 'node:events';
import { request, type Agent, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { root } from '../../scripts/root.mjs';
import { spawn } from '../support/child.js';
import type { DoorServerState } from './programs/door-server.js';

/** A server with a shedder in a process that may have a given number of descriptors open, as `ulimit -n` says. */
export interface DoorServer {
  readonly port: number;
  state(): Promise<DoorServerState>;
  /** Stops the process, or lets it go on: the kernel takes connections meanwhile. */
  pause(isPaused: boolean): void;
  /** The status of a request. 0 if the connection has failed. */
  ask(agent?: Agent): Promise<number>;
  stop(): Promise<void>;
}

export async function startDoorServer(descriptors: number, headersTimeout = 60_000): Promise<DoorServer> {
  const program = join(root, 'test', 'overload', 'programs', 'door-server.ts');
  const loader = join(root, 'test', 'tools', 'typescript.mjs');
  const shell = `ulimit -n ${descriptors} && exec "$0" "$@"`;
  const child = spawn('sh', ['-c', shell, process.execPath, '--import', loader, program, String(headersTimeout)], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const [port] = (await once(child, 'message')) as [number];
  return {
    port,
    async state() {
      const answer = once(child, 'message');
      child.send('state');
      const [state] = (await answer) as [DoorServerState];
      return state;
    },
    pause: (isPaused) => void child.kill(isPaused ? 'SIGSTOP' : 'SIGCONT'),
    ask: (agent) =>
      new Promise((resolve) => {
        request({ port, host: '127.0.0.1', agent: agent ?? false })
          .on('response', (response: IncomingMessage) => {
            response.resume().on('end', () => resolve(response.statusCode!));
          })
          .on('error', () => resolve(0))
          .end();
      }),
    async stop() {
      const exit = once(child, 'exit');
      child.disconnect();
      await exit;
    },
  };
}
