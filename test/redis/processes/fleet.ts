import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { PolicyOptions } from '@sluice/core';
import { root } from '../../../scripts/root.mjs';
import { runTool } from '../../../scripts/run.mjs';

/** What a process asks its Redis, again and again. */
export interface Job {
  claims: { tier: string; key: string; policy: PolicyOptions }[];
  /** Of the checks of one round, which are asked in one turn. */
  costs: number[];
  rounds: number;
}

export interface Work {
  checks: number;
  admitted: number;
  /** The costs of all that were admitted. */
  units: number;
}

export interface Fleet {
  /** Gives every process its job at the same time, and resolves with what came of each. */
  work(jobs: readonly Job[]): Promise<Work[]>;
  stop(): Promise<void>;
}

/** Starts processes that share a Redis, and resolves when all are connected. */
export async function startFleet(size: number, server: { readonly port: number }): Promise<Fleet> {
  await compile();
  const worker = join(root, 'test', 'redis', 'processes', 'worker.mjs');
  // Node's own options are meant for this process.
  const children = Array.from({ length: size }, () => fork(worker, [String(server.port)], { execArgv: [] }));
  await Promise.all(children.map((child) => message(child)));
  return {
    async work(jobs) {
      const answers = Promise.all(children.map((child) => message(child)));
      for (const [index, child] of children.entries()) child.send(jobs[index]!);
      return (await answers) as Work[];
    },
    async stop() {
      const exits = Promise.all(children.map((child) => once(child, 'exit')));
      for (const child of children) child.disconnect();
      await exits;
    },
  };
}

/** Makes what the processes import: they have no test runner that would read TypeScript. */
export async function compile(): Promise<void> {
  const code = await runTool('tsc', ['--build', 'packages/core/tsconfig.esm.json']);
  if (code !== 0) throw new Error('the package cannot be compiled');
}

async function message(child: ChildProcess): Promise<unknown> {
  const gone = new AbortController();
  const failed = once(child, 'exit', { signal: gone.signal }).then(([code]) => {
    throw new Error(`a process ended with ${String(code)}`);
  });
  failed.catch(() => undefined);
  try {
    const [received] = await Promise.race([once(child, 'message'), failed]);
    return received;
  } finally {
    gone.abort();
  }
}
