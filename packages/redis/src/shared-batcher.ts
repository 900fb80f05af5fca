import { companion, ConfigError, type DurationRange, type OptionRows, readOptions } from '@sluice/core/internal';
import { encodeChecks } from './batch/batch.js';
import { Batcher } from './batch/batcher.js';
import { commandRunner } from './client/command-runner.js';
import type { RedisClient } from './client/redis-client.js';
import type { RunScript } from './client/run-script.js';
import { Connection, type ObservedClient } from './connection/connection.js';
import { Deadline } from './connection/deadline.js';
import { PROBE_CLAIM } from './connection/probe.js';

const DEADLINE: DurationRange = { range: '1 ms to 10 s', max: 1e7, example: "50 or '50ms'", isShort: true };
const CONNECT_DEADLINE: DurationRange = { range: '1 ms to 1 min', max: 6e7, example: "2000 or '2s'" };

export const DEADLINE_ROWS = {
  deadline: { milliseconds: DEADLINE, otherwise: 50 },
  connectDeadline: { milliseconds: CONNECT_DEADLINE, otherwise: 2_000 },
} as const satisfies OptionRows;

/** In milliseconds. */
export interface Deadlines {
  readonly deadline: number;
  readonly connectDeadline: number;
}

/** @throws ConfigError */
export function readDeadlines(options: object): Deadlines {
  return readOptions('redisStore', Object(options) as object, DEADLINE_ROWS);
}

/** All stores on a client share batches and fail together. */
const batchers = companion<RedisClient, Batcher>('batchers');

/** @throws ConfigError if another store on this client has other deadlines */
export function sharedBatcher(client: RedisClient, deadlines: Deadlines): Batcher {
  const batcher = batchers.get(client) ?? openBatcher(client, commandRunner(client), deadlines);
  batchers.set(client, batcher);
  const { deadline, connectDeadline } = batcher.connection;
  const known: Deadlines = { deadline: deadline.milliseconds, connectDeadline };
  for (const name of ['deadline', 'connectDeadline'] as const) {
    if (known[name] === deadlines[name]) continue;
    throw new ConfigError(
      'OPTION_INVALID',
      name,
      deadlines[name],
      `redisStore: ${name} must be the same for all stores on a client, because their checks share calls: it is ${known[name]} ms there, got ${deadlines[name]}`,
    );
  }
  return batcher;
}

/** A batcher on a client of its own. */
export function openBatcher(client: ObservedClient, run: RunScript, deadlines: Deadlines): Batcher {
  const probe = encodeChecks([{ group: [PROBE_CLAIM], isPeek: false }]);
  const { deadline, connectDeadline } = deadlines;
  return new Batcher(new Connection(client, { run, deadline: new Deadline(deadline), connectDeadline, probe }));
}
