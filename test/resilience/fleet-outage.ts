import { once } from 'node:events';
import { compile } from '../redis/processes/fleet.js';
import { everyPolicy } from '../../packages/core/src/testing/internal/claim.js';
import { startRedis } from '../support/redis.js';
import { startFleet, type Count, type Fleet } from './fleet.js';

/** What a fleet has admitted of one limit, over all its processes. */
export interface FleetRow {
  readonly name: string;
  readonly limit: number;
  /** While they share a Redis. */
  readonly together: number;
  /** While it is gone. */
  readonly apart: number;
  /** The most that it may be: each process rounds its share up. */
  readonly bound: number;
  /** While they share a Redis again, which has lost what it had counted. */
  readonly togetherAgain: number;
  /** When it is gone for the second time, in the same window. */
  readonly apartAgain: number;
}

/** Processes. */
const SIZE = 3;
/** One that each of them exceeds, and some that are divided with a rest of 0, 1 and 2. */
const LIMITS = [1, 10, 29, 30];

/** Answers of each limiter in each process that are waited for: enough to use up any of the limits. */
const PRESSURE = 16;

/** Takes the Redis of a fleet away, gives it back and takes it away again, all within one window of an hour. */
export async function fleetOutage(): Promise<FleetRow[]> {
  await compile();
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

/** What was admitted so far, by Redis or without it, when enough has been asked for. */
async function admittedIn(fleet: Fleet, by: keyof Count): Promise<ReadonlyMap<string, number>> {
  await fleet.answered(by, PRESSURE);
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
