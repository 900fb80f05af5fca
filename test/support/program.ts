import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { root } from '../../scripts/root.mjs';
import { run } from '../../scripts/run.mjs';
import { fork } from './child.js';

/** A program of the tests in a process of its own. It answers each message with one message. */
export interface Program {
  /** The message that it sent when it had started. */
  readonly started: unknown;
  request(message: object | string): Promise<unknown>;
  /** Disconnects, upon which the program must end. */
  stop(): Promise<void>;
}

/**
 * Starts a program on the packages as they are now: one on an earlier build would test other code.
 *
 * @param file path from the root of the repository
 */
export async function startProgram(
  file: string,
  args: readonly string[],
  nodeOptions: readonly string[] = [],
): Promise<Program> {
  await buildPackages();
  // Without these, the program would inherit the options of the test runner.
  const child = fork(join(root, file), args, { execArgv: [...nodeOptions] });
  const request = (message: object | string) => {
    const reply = nextMessage(child);
    child.send(message);
    return reply;
  };
  return {
    started: await nextMessage(child),
    request,
    async stop() {
      const exit = once(child, 'exit');
      child.disconnect();
      await exit;
    },
  };
}

let built: Promise<void> | undefined;

/** Builds the packages once, unless they are built, because programs load them as users do. `npm test` has built them. */
export function buildPackages(): Promise<void> {
  built ??= process.env['SLUICE_BUILT'] === undefined ? build() : Promise.resolve();
  return built;
}

async function build(): Promise<void> {
  if ((await run(process.execPath, ['scripts/build.mjs'])) !== 0) throw new Error('the packages do not build');
}

async function nextMessage(child: ChildProcess): Promise<unknown> {
  const done = new AbortController();
  const ended = once(child, 'exit', { signal: done.signal }).then(([code]) => {
    throw new Error(`a program ended with ${String(code)}`);
  });
  ended.catch(() => undefined);
  try {
    const [message] = (await Promise.race([once(child, 'message'), ended])) as [unknown];
    return message;
  } finally {
    done.abort();
  }
}
