import { setTimeout as delay } from 'node:timers/promises';
import { startProgram } from '../../support/program.js';
import { startRedis } from '../../support/redis.js';

const PROCESSES = 4;
const LIMIT = 20;
const WARM_UP_MS = 1_500;

export interface Load {
  readonly isFair: boolean;
  /** Requests of each greedy tenant in each process. */
  readonly floods: Readonly<Record<string, number>>;
  /** How long it is measured, in milliseconds. */
  readonly lasts: number;
  /** How long a request works, in milliseconds. @default 50 */
  readonly hold?: number;
}

export interface Shares {
  /** Jain's index of the greedy tenants. */
  readonly index: number;
  /** The part of the limit that no request used, in percent. */
  readonly idle: number;
  /** The longest wait of a tenant with one request at a time, in milliseconds. */
  readonly quietWait: number;
  /** By how much a timer of a process was late at most, in milliseconds. */
  readonly late: number;
}

export interface ProcessLoad {
  readonly processes: number;
  readonly limit: number;
  readonly isFair: boolean;
  /** How long a request works, in milliseconds. */
  readonly hold: number;
  /** How long it is measured, in milliseconds. */
  readonly lasts: number;
}

export interface ProcessUnits {
  /** The units at work in all processes, on average. */
  readonly together: number;
  /** The fewest units that a process had at work, on average, over any 5 seconds. */
  readonly least: number;
}

/** Shares hold over this time. It is measured in steps of a second. */
const SPAN_S = 5;

/** The units at work where each process always has requests that wait. It lasts at least 5 seconds. */
export async function unitsByProcess({ processes, limit, isFair, hold, lasts }: ProcessLoad): Promise<ProcessUnits> {
  const server = await startRedis();
  const programs = await Promise.all(
    Array.from({ length: processes }, () => startProgram('test/redis/permits/tenants.mjs', [])),
  );
  const tenants = ['a', 'b'].map((name) => ({ name, requests: limit + 2, pause: 0 }));
  const askAll = (verb: string) => Promise.all(programs.map((program) => program.request({ verb, argument: 0 })));
  /** The time, and the milliseconds of work of each process until then. */
  const sample = async (): Promise<Sample> => {
    const all = (await askAll('results')) as Results[];
    const worked = all.map((results) => Object.values(results).reduce((sum, each) => sum + each.worked, 0));
    return { at: performance.now(), worked };
  };
  try {
    // One after the other: the first has all when the others come.
    for (const program of programs) {
      await program.request({ verb: 'begin', argument: { port: server.port, limit, hold, isFair, tenants } });
    }
    await delay(WARM_UP_MS);
    await askAll('forget');
    const samples = [await sample()];
    for (let second = 0; second < lasts / 1_000; second += 1) {
      await delay(1_000);
      samples.push(await sample());
    }
    await askAll('end');
    const all = unitsBetween(samples[0]!, samples.at(-1)!);
    const spans = samples.slice(SPAN_S).map((to, place) => Math.min(...unitsBetween(samples[place]!, to)));
    return { together: all.reduce((sum, each) => sum + each, 0), least: Math.min(...spans) };
  } finally {
    await Promise.all(programs.map((program) => program.stop()));
    await server.stop();
  }
}

interface Sample {
  /** Milliseconds. */
  readonly at: number;
  /** Milliseconds of each process. */
  readonly worked: readonly number[];
}

function unitsBetween(from: Sample, to: Sample): readonly number[] {
  return to.worked.map((worked, place) => (worked - from.worked[place]!) / (to.at - from.at));
}

type Results = Readonly<Record<string, { readonly worked: number; readonly waited: number; readonly late: number }>>;

/** What tenants get of a limit in flight: four processes on one Redis, and a quiet tenant in the first of them. */
export async function sharesOf({ isFair, floods, lasts, hold = 50 }: Load): Promise<Shares> {
  const server = await startRedis();
  const programs = await Promise.all(
    Array.from({ length: PROCESSES }, () => startProgram('test/redis/permits/tenants.mjs', [])),
  );
  const greedy = Object.entries(floods).map(([name, requests]) => ({ name, requests, pause: 0 }));
  const quiet = { name: 'quiet', requests: 1, pause: 300 };
  const askAll = (verb: string) => Promise.all(programs.map((program) => program.request({ verb, argument: 0 })));
  try {
    const common = { port: server.port, limit: LIMIT, hold, isFair };
    const begin = programs.map((program, place) => {
      const argument = { ...common, tenants: place === 0 ? [...greedy, quiet] : greedy };
      return program.request({ verb: 'begin', argument });
    });
    await Promise.all(begin);
    await delay(WARM_UP_MS);
    await askAll('forget');
    await delay(lasts);
    const all = (await askAll('results')) as Results[];
    await askAll('end');
    const workedBy = (name: string) => all.reduce((sum, results) => sum + (results[name]?.worked ?? 0), 0);
    const parts = greedy.map(({ name }) => workedBy(name));
    const sum = parts.reduce((total, each) => total + each, 0);
    const squares = parts.reduce((total, each) => total + each ** 2, 0);
    return {
      index: sum ** 2 / (parts.length * squares),
      idle: 100 * (1 - (sum + workedBy('quiet')) / (LIMIT * lasts)),
      quietWait: Math.max(...all.map((results) => results['quiet']?.waited ?? 0)),
      late: Math.max(...all.flatMap((results) => Object.values(results).map((each) => each.late))),
    };
  } finally {
    await Promise.all(programs.map((program) => program.stop()));
    await server.stop();
  }
}
