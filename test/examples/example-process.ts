import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { root } from '../../scripts/root.mjs';
import { spawn } from '../support/child.js';
import { startRedis, type RedisServer } from '../support/redis.js';
import type { Example } from './examples.js';

/** A running example. */
export interface ExampleProcess {
  /** What it printed when it started: its address, and commands to try. */
  readonly greeting: string;
  readonly url: string;
  /** What it has written to stderr. */
  errors(): string;
  /** Resolves with its exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** The examples that a test has started. */
export class ExampleProcesses {
  readonly #processes: ExampleProcess[] = [];

  /** Starts an example on a free port, and resolves when it listens. */
  async start(example: Example, environment?: Record<string, string>): Promise<ExampleProcess> {
    const started = await startExample(example, environment);
    this.#processes.push(started);
    return started;
  }

  startAll(examples: readonly Example[], environment?: Record<string, string>): Promise<ExampleProcess[]> {
    return Promise.all(examples.map((example) => this.start(example, environment)));
  }

  async stop(): Promise<void> {
    await Promise.all(this.#processes.splice(0).map((each) => each.stop()));
  }
}

/** Stops the processes of each test, and runs a Redis for all of them. Use both in hooks and tests alone. */
export function withProcesses(): { readonly processes: ExampleProcesses; readonly redis: () => RedisServer } {
  const processes = new ExampleProcesses();
  let redis: RedisServer;

  beforeAll(async () => {
    redis = await startRedis();
  });

  afterEach(() => processes.stop());

  afterAll(() => redis.stop());

  return { processes, redis: () => redis };
}

async function startExample(example: Example, environment: Record<string, string> = {}): Promise<ExampleProcess> {
  const child = launch(example, environment);
  const closed = once(child, 'close') as Promise<[number | null]>;
  const greeting = gather(child.stdout!);
  const errors = gather(child.stderr!);
  const ended = closed.then(() => true);
  while (!greeting().includes('Ctrl-C.\n')) {
    if (await Promise.race([once(child.stdout!, 'data').then(() => false), ended])) break;
  }

  const [, port] = /http:\/\/localhost:(\d+)/.exec(greeting()) ?? [];
  if (port === undefined) throw new Error(`${example.name} did not start: ${greeting()}${errors()}`);
  return {
    greeting: greeting(),
    // `localhost` can be an IPv6 address, and the tests need one fixed address.
    url: `http://127.0.0.1:${port}`,
    errors,
    async stop(signal = 'SIGTERM') {
      child.kill(signal);
      const [code] = await closed;
      return code;
    },
  };
}

/** The error that an example prints when it cannot start. */
export async function startErrorOf(example: Example, environment: Record<string, string>): Promise<string> {
  const child = launch(example, environment);
  const errors = gather(child.stderr!);
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 1) throw new Error(`${example.name} exited with ${code}, expected 1: ${errors()}`);
  return errors();
}

function launch({ main, environment: own }: Example, environment: Record<string, string>): ChildProcess {
  const { REDIS_URL: _url, REDIS_DEADLINE: _deadline, JWT_SECRET: _secret, PLATFORM: _platform, ...rest } = process.env;
  return spawn(process.execPath, [join(root, 'examples', main)], {
    // A long deadline, because a busy machine can delay replies of Redis.
    env: { ...rest, PORT: '0', REDIS_DEADLINE: '5s', ...own, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

function gather(stream: NodeJS.ReadableStream): () => string {
  let text = '';
  stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
  return () => text;
}
