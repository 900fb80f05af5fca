import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { root } from '../../scripts/root.mjs';
import type { Example } from './examples.js';

/** An example that runs. */
export interface ExampleProcess {
  /** What it printed when it was ready: that it listens, and what to try. */
  readonly greeting: string;
  readonly url: string;
  /** What it has complained of since. */
  complaints(): string;
  /** Resolves with its exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** Starts an example on a free port, and resolves when it listens. */
export async function startExample(
  example: Example,
  environment: Record<string, string> = {},
): Promise<ExampleProcess> {
  const child = launch(example, environment);
  const closed = once(child, 'close') as Promise<[number | null]>;
  const greeting = gather(child.stdout!);
  const complaints = gather(child.stderr!);
  const ended = closed.then(() => true);
  while (!greeting().includes('Ctrl-C.\n')) {
    if (await Promise.race([once(child.stdout!, 'data').then(() => false), ended])) break;
  }

  const [, port] = /http:\/\/localhost:(\d+)/.exec(greeting()) ?? [];
  if (port === undefined) throw new Error(`${example.name} did not start: ${greeting()}${complaints()}`);
  return {
    greeting: greeting(),
    // One address, whatever `localhost` is here.
    url: `http://127.0.0.1:${port}`,
    complaints,
    async stop(signal = 'SIGTERM') {
      child.kill(signal);
      const [code] = await closed;
      return code;
    },
  };
}

/** What an example that cannot start says, having ended with an error. */
export async function complaintOf(example: Example, environment: Record<string, string>): Promise<string> {
  const child = launch(example, environment);
  const said = gather(child.stderr!);
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 1) throw new Error(`${example.name} ended with ${code}, and not with 1: ${said()}`);
  return said();
}

function launch({ main, environment: own }: Example, environment: Record<string, string>): ChildProcess {
  const {
    REDIS_URL: _none,
    REDIS_DEADLINE: _usual,
    JWT_SECRET: _random,
    PLATFORM: _default,
    ...inherited
  } = process.env;
  return spawn(process.execPath, [join(root, 'examples', main)], {
    // What a machine under load is late for is not what these tests are about.
    env: { ...inherited, PORT: '0', REDIS_DEADLINE: '5s', ...own, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

function gather(stream: NodeJS.ReadableStream): () => string {
  let text = '';
  stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
  return () => text;
}
