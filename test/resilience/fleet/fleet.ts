import { setTimeout as delay } from 'node:timers/promises';
import type { PolicyOptions } from '../../../packages/core/src/index.js';
import { startProgram } from '../../support/program.js';

/** The limits of every process of a fleet. */
export type Job = readonly { readonly name: string; readonly policy: PolicyOptions }[];

/** Decisions of one limiter. */
export interface Count {
  readonly redis: Tally;
  readonly local: Tally;
}

interface Tally {
  decisions: number;
  admitted: number;
}

/** Processes that send more requests than their common limits admit. */
export interface Fleet {
  readonly size: number;
  /** The counts of each process by the name of a limit. */
  counts(): Promise<ReadonlyMap<string, readonly Count[]>>;
  /** Resolves when every limiter of every process has so many more decisions, by Redis or without it. */
  answered(by: keyof Count, times: number): Promise<void>;
  stop(): Promise<void>;
}

/** Starts processes with a limiter for each policy, and an equal share of each limit. */
export async function startFleet(size: number, url: string, job: Job): Promise<Fleet> {
  const start = () =>
    // Outages are the purpose, so their warning is not.
    startProgram(
      'test/resilience/fleet/worker.mjs',
      [url, String(1 / size)],
      ['--disable-warning=SLUICE_STORE_UNAVAILABLE'],
    );
  const programs = await Promise.all(Array.from({ length: size }, start));
  const reports = () => Promise.all(programs.map((program) => program.request('report') as Promise<Count[]>));
  await Promise.all(programs.map((program) => program.request(job)));
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
          counts.every((each, index) => each[by].decisions >= before[child]![index]![by].decisions + times),
        );
      while (!isAnswered(await reports())) await delay(20);
    },
    async stop() {
      await Promise.all(programs.map((program) => program.stop()));
    },
  };
}
