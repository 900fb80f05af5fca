import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { PolicyOptions } from '../../packages/core/src/index.js';
import { root } from '../../scripts/root.mjs';

/** What every process of a fleet is asked for more than it may have of. */
export type Job = readonly { readonly name: string; readonly policy: PolicyOptions }[];

/** Decisions of one limiter, by who has made them. */
export interface Count {
  readonly redis: Tally;
  readonly local: Tally;
}

interface Tally {
  decisions: number;
  admitted: number;
}

/** Processes that share one limit, as long as there is a Redis, and asks for more all the time. */
export interface Fleet {
  readonly size: number;
  /** What each process has decided so far, by the name in the job. */
  counts(): Promise<ReadonlyMap<string, readonly Count[]>>;
  /** Resolves when every limiter of every process was answered so many times more, by Redis or without it. */
  answered(by: keyof Count, times: number): Promise<void>;
  stop(): Promise<void>;
}

/** Starts processes with a limiter of each policy, whose share of it is that of one of them. */
export async function startFleet(size: number, url: string, job: Job): Promise<Fleet> {
  const worker = join(root, 'test', 'resilience', 'fleet-worker.mjs');
  // Node's own options are meant for this process, and that Redis is gone is what it is about.
  const children = Array.from({ length: size }, () =>
    fork(worker, [url, String(1 / size)], {
      execArgv: ['--disable-warning=SLUICE_STORE_UNAVAILABLE'],
    }),
  );
  await Promise.all(children.map((child) => messageOf(child)));
  for (const child of children) child.send(job);
  const reports = () => Promise.all(children.map(report));
  return {
    size,
    async counts() {
      const all = await reports();
      return new Map(job.map(({ name }, index) => [name, all.map((counts) => counts[index]!)]));
    },
    async answered(by, times) {
      const before = await reports();
      const isAnswered = (now: Count[][]) =>
        now.every((counts, child) =>
          counts.every((each, index) => each[by].decisions >= (before[child]?.[index]?.[by].decisions ?? 0) + times),
        );
      while (!isAnswered(await reports())) await delay(20);
    },
    async stop() {
      const exits = Promise.all(children.map((child) => once(child, 'exit')));
      for (const child of children) child.disconnect();
      await exits;
    },
  };
}

async function report(child: ChildProcess): Promise<Count[]> {
  const answer = messageOf(child);
  child.send('report');
  return (await answer) as Count[];
}

async function messageOf(child: ChildProcess): Promise<unknown> {
  const over = new AbortController();
  const ended = once(child, 'exit', { signal: over.signal }).then(([code]) => {
    throw new Error(`a process of the fleet has ended with ${String(code)}`);
  });
  ended.catch(() => undefined);
  try {
    const [message] = (await Promise.race([once(child, 'message'), ended])) as [unknown];
    return message;
  } finally {
    over.abort();
  }
}
