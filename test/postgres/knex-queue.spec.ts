import type { Duration } from '@sluice/core';
import { isOverloadError, queueDelay } from '@sluice/overload/queues';
import createKnex, { type Knex } from 'knex';
import { startPostgres, type PostgresServer } from './postgres-server.js';
import { until } from '../support/until.js';

let server: PostgresServer;
let opened: Knex[] = [];

beforeAll(async () => {
  server = await startPostgres();
});

afterEach(async () => {
  await Promise.all(opened.map((knex) => knex.destroy()));
  opened = [];
});

afterAll(() => server.stop());

/** For tests that are not about refusals: on a busy machine a queue stands for longer than the usual target. */
const PATIENT = '10s';

function watched(max: number, target: Duration = PATIENT) {
  const database = queueDelay('database', { target });
  const { host, port, user, database: name } = server.connection;
  const knex = database.watch(
    createKnex({ client: 'pg', connection: `postgres://${user}@${host}:${port}/${name}`, pool: { min: 0, max } }),
  );
  opened.push(knex);
  return { database, knex };
}

interface Counting {
  readonly client: { readonly pool: { numPendingAcquires(): number; numUsed(): number } };
}

describe('a watched knex', () => {
  it('never lets a query into the queue of its pool, and runs all of them', async () => {
    const { database, knex } = watched(2);
    const { pool } = (knex as unknown as Counting).client;
    let longest = 0;

    const all = Array.from({ length: 40 }, async (_, index) => {
      const query = knex.raw<{ rows: readonly { one: number }[] }>('SELECT ?::int AS one, pg_sleep(0.001)', [index]);
      const { rows } = await query;
      longest = Math.max(longest, pool.numPendingAcquires());
      return rows[0]!.one;
    });

    expect(await Promise.all(all)).toEqual(Array.from({ length: 40 }, (_, index) => index));
    expect(longest).toBeLessThanOrEqual(2);
    expect([database.waiting, pool.numUsed()]).toEqual([0, 0]);
  });

  it('holds the connection of a transaction until it ends', async () => {
    const { database, knex } = watched(1);

    const seen = await knex.transaction(async (transaction) => {
      const other = knex.raw('SELECT 1');
      const waits = other.then(() => 'ran');
      await until(() => database.waiting === 1);
      await transaction.raw('SELECT 1');
      return { waits };
    });

    expect(await seen.waits).toBe('ran');
  });

  it('refuses queries of a pool that is stuck, and serves them again when it moves', async () => {
    const { database, knex } = watched(1, '200ms');
    const stuck = await knex.transaction();

    const refused: unknown = await knex.raw('SELECT 1').catch((error: unknown) => error);
    await stuck.commit();
    await until(() => database.level === 0);

    expect(isOverloadError(refused)).toBe(true);
    await knex.raw('SELECT 1');
  });
});
