import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Reply, Request, Verbs } from './serve.js';

type Values<V extends Verbs> = {
  readonly [Name in keyof V]: (...args: Parameters<V[Name]>) => Promise<Awaited<ReturnType<V[Name]>>>;
};

/** Another process of the benchmark. Its verbs are called as functions. */
export interface Child<V extends Verbs> {
  readonly call: Values<V>;
  end(): Promise<void>;
}

export interface ChildOptions {
  /** Megabytes of heap. @default Node's own limit */
  readonly memory?: number;
  /** Variables in addition to those of this process. */
  readonly env?: Readonly<Record<string, string>>;
  /** The cores of the process. @default the system's choice */
  readonly cores?: readonly number[] | undefined;
}

/**
 * A waiting process drops compiled code and returns memory for new objects. The reference runs most and would not, so
 * these flags keep both for all.
 */
const AWAKE = ['--no-flush-bytecode', '--no-memory-reducer', '--min-semi-space-size=16'];
const TICK_SHAPE = fileURLToPath(new URL('tick-shape.cjs', import.meta.url));

/** @param url the file that it runs, which serves these verbs */
export function startChild<V extends Verbs>(url: URL, { memory = 0, env = {}, cores }: ChildOptions = {}): Child<V> {
  const { execPath, execArgv } = globalThis.process;
  const process = fork(fileURLToPath(url), {
    serialization: 'advanced',
    env: { ...globalThis.process.env, ...env },
    execPath: cores ? 'taskset' : execPath,
    execArgv: [
      ...(cores ? ['-c', cores.join(), execPath] : []),
      '--require',
      TICK_SHAPE,
      ...execArgv,
      ...AWAKE,
      ...(memory > 0 ? [`--max-old-space-size=${memory}`] : []),
    ],
  });
  const waiting = new Map<number, Waiting>();
  process.on('message', (reply: Reply) => {
    const { resolve, reject } = waiting.get(reply.id)!;
    waiting.delete(reply.id);
    if ('error' in reply) reject(new Error(reply.error));
    else resolve(reply.value);
  });
  process.once('close', (code, signal) => {
    for (const { reject } of waiting.values()) reject(new Error(`a process has ended with ${code ?? signal}`));
    waiting.clear();
  });

  let last = 0;
  const ask = (verb: string, args: readonly unknown[]) =>
    new Promise<unknown>((resolve, reject) => {
      const request: Request = { id: (last += 1), verb, args };
      waiting.set(request.id, { resolve, reject });
      process.send(request, (error) => error && reject(error));
    });
  const call = new Proxy({} as Values<V>, {
    get:
      (_, verb: string) =>
      (...args: readonly unknown[]) =>
        ask(verb, args),
  });
  return { call, end: () => end(process) };
}

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

async function end(process: ChildProcess): Promise<void> {
  if (process.exitCode !== null || process.signalCode !== null) return;
  const closed = once(process, 'close');
  process.kill('SIGKILL');
  await closed;
}
