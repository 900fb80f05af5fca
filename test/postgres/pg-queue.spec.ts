import type { Duration } from '@sluice/core';
import { isOverloadError, queueDelay } from '@sluice/overload/queues';
import { Pool, type PoolConfig } from 'pg';
import { startPostgres, type PostgresServer } from './postgres-server.js';
import { until } from '../support/until.js';

let server: PostgresServer;
let pools: Pool[] = [];

beforeAll(async () => {
  server = await startPostgres();
  await server.query('CREATE TABLE work (name text, number serial)');
});

afterEach(async () => {
  await Promise.all(pools.map((pool) => pool.end()));
  pools = [];
  await server.query('TRUNCATE work RESTART IDENTITY');
});

afterAll(() => server.stop());

/** For tests that are not about refusals: on a busy machine a queue stands for longer than the usual target. */
const PATIENT = '10s';

function watched(options: PoolConfig = {}, target: Duration = PATIENT) {
  const database = queueDelay('database', { target });
  const pool = database.watch(new Pool({ ...server.connection, max: 2, ...options }));
  pool.on('error', () => {});
  pools.push(pool);
  /** Notes its name at the database when it has a connection. */
  const work = (name: string, seconds = 0) =>
    pool.query('INSERT INTO work (name) SELECT $1 FROM pg_sleep($2)', [name, seconds]);
  return { database, pool, work };
}

async function done(): Promise<readonly string[]> {
  const rows = await server.query('SELECT name FROM work ORDER BY number');
  return rows.map(({ name }) => String(name));
}

describe('a watched pool of pg', () => {
  it('never lets a query into its own queue, and runs all of them', async () => {
    const { database, pool, work } = watched();
    let longest = 0;

    const all = Array.from({ length: 40 }, async (_, index) => {
      const worked = work(String(index));
      longest = Math.max(longest, pool.waitingCount);
      await worked;
    });
    expect(database.waiting).toBe(38);
    await Promise.all(all);

    expect(longest).toBe(0);
    expect(new Set(await done())).toEqual(new Set(Array.from({ length: 40 }, (_, index) => String(index))));
    expect([database.waiting, pool.idleCount, pool.totalCount]).toEqual([0, 2, 2]);
  });

  it('gives a client to callbacks and promises alike, and takes it back when it is released or destroyed', async () => {
    const { pool } = watched({ max: 1 });
    const first = await pool.connect();
    const second = pool.connect();
    const third = new Promise<number>((resolve, reject) => {
      pool.connect((error, client, release) => {
        if (error) reject(error);
        else {
          resolve(client!.listenerCount('end'));
          release();
        }
      });
    });

    // A client that is destroyed leaves room for a new one.
    first.release(true);
    (await second).release();

    expect(await third).toEqual(expect.any(Number));
    expect(await pool.query('SELECT 1 AS one')).toMatchObject({ rows: [{ one: 1 }] });
  });

  it('passes on that no connection can be made, and lets the next query try', async () => {
    const { pool } = watched({ port: 1, max: 1 });

    const failed = await Promise.allSettled([pool.query('SELECT 1'), pool.query('SELECT 1'), pool.connect()]);

    expect(failed.map((each) => each.status === 'rejected' && (each.reason as { code: string }).code)).toEqual([
      'ECONNREFUSED',
      'ECONNREFUSED',
      'ECONNREFUSED',
    ]);
  });

  it('takes no connection for a query that has left, as the database sees it', async () => {
    const { database, pool } = watched({ max: 1 });
    const leaving = new AbortController();
    const held = await pool.connect();
    const connected = database.wait(() => pool.connect(), { signal: leaving.signal });
    const next = database.wait(() => pool.connect());

    leaving.abort(new Error('nobody waits'));
    await expect(connected).rejects.toThrow('nobody waits');
    held.release();
    (await next).release();

    expect(pool.totalCount).toBe(1);
    expect(pool.waitingCount).toBe(0);
  });

  it('refuses queries of a pool that is stuck, and serves them again when it moves', async () => {
    const { database, pool, work } = watched({ max: 1 }, '200ms');
    const stuck = await pool.connect();

    expect(isOverloadError(await work('refused').catch((error: unknown) => error))).toBe(true);
    stuck.release();
    await until(() => database.level === 0);
    await work('served');

    expect(await done()).toEqual(['served']);
  });

  it('serves what is critical as soon as the pool moves', async () => {
    const { database, pool } = watched({ max: 1 }, '200ms');
    const stuck = await pool.connect();
    const critical = database.wait(() => pool.connect(), { priority: 'critical' });

    expect(isOverloadError(await pool.query('SELECT 1').catch((error: unknown) => error))).toBe(true);
    stuck.release();

    (await critical).release();
  });

  it('can be watched by one queue', () => {
    const { pool, database } = watched();

    expect(() => queueDelay('other').watch(pool)).toThrow('make one queue for each pool');
    expect(() => database.watch(new Pool(server.connection))).toThrow('watches a pool already');
  });
});
