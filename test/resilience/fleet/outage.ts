import { once } from 'node:events';
import { everyPolicy } from '../../support/claim.js';
import { startRedis } from '../../support/redis.js';
import { startFleet, type Count, type Fleet } from './fleet.js';

/** The admissions of one limit in all processes of a fleet. */
export interface FleetRow {
  readonly name: string;
  readonly limit: number;
  /** With Redis. */
  readonly together: number;
  /** Without it. */
  readonly apart: number;
  /** The bound without Redis: each process rounds its share up. */
  readonly bound: number;
  /** With Redis again, which has lost its counters. */
  readonly togetherAgain: number;
  /** Without it again, in the same window. */
  readonly apartAgain: number;
}

/** The number of processes. */
const SIZE = 3;
/** Limits with a remainder of 0, 1 and 2 when divided by the processes. */
const LIMITS = [1, 10, 29, 30];

/** Decisions of each limiter in each process: enough to spend every limit. */
const DECISIONS = 16;

/** Kills the Redis of a fleet, restarts it and kills it again, within one window of an hour. */
export async function fleetOutage(): Promise<FleetRow[]> {
  const limits = LIMITS.flatMap((limit) =>
    everyPolicy(limit).map(([algorithm, policy]) => ({ name: nameOf(algorithm, limit), algorithm, limit, policy })),
  );
  const server = await startRedis();
  const fleet = await startFleet(SIZE, server.url, limits);
  const kill = async () => {
    server.process.kill('SIGKILL');
    await once(server.process, 'exit');
  };
  try {
    const together = await admittedIn(fleet, 'redis');
    await kill();
    const apart = await admittedIn(fleet, 'local');
    await server.restart();
    const togetherAgain = await admittedIn(fleet, 'redis');
    await kill();
    const apartAgain = await admittedIn(fleet, 'local');
    return limits.map(({ name, algorithm, limit }) => ({
      name: `${algorithm}, ${limit}`,
      limit,
      together: together.get(name)!,
      apart: apart.get(name)!,
      bound: limit + SIZE - 1,
      togetherAgain: togetherAgain.get(name)! - together.get(name)!,
      apartAgain: apartAgain.get(name)! - apart.get(name)!,
    }));
  } finally {
    await fleet.stop();
    await server.stop();
  }
}

/** The admissions so far, after enough further decisions. */
async function admittedIn(fleet: Fleet, by: keyof Count): Promise<ReadonlyMap<string, number>> {
  await fleet.answered(by, DECISIONS);
  return new Map(
    [...(await fleet.counts())].map(([name, counts]) => [
      name,
      counts.reduce((sum, count) => sum + count[by].admitted, 0),
    ]),
  );
}

function nameOf(algorithm: string, limit: number): string {
  return `${algorithm}-${limit}`.replaceAll(/[^\w-]+/g, '-');
}
