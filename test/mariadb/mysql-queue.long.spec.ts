import { isOverloadError, queueDelay } from '@sluice/overload/queues';
import { createPool, type Pool } from 'mysql2';
import { createPool as createPromisePool } from 'mysql2/promise';
import { until } from '../support/until.js';
import { startMariadb, type MariadbServer } from './mariadb-server.js';

let server: MariadbServer;
const closing: (() => unknown)[] = [];

beforeAll(async () => {
  server = await startMariadb();
});

afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

afterAll(() => server.stop());

/** A pool of promises. */
function watched(connectionLimit: number, options: object = {}) {
  const database = queueDelay('database');
  const pool = database.watch(createPromisePool({ ...server.connection, connectionLimit, ...options }));
  closing.push(() => pool.end());
  return { database, pool };
}

/** Acquisitions in the queue of the pool itself, which has no public name. */
// oxlint-disable-next-line no-underscore-dangle
const queueOf = (pool: unknown) => (pool as { _connectionQueue: { length: number } })._connectionQueue.length;

describe('a watched pool of mysql2', () => {
  it('never lets a query into its own queue, and runs all of them', async () => {
    const { database, pool } = watched(2);
    let longest = 0;

    const all = Array.from({ length: 40 }, async (_, index) => {
      const [rows] = await pool.execute('SELECT ? AS one, SLEEP(0.001)', [index]);
      longest = Math.max(longest, queueOf(pool.pool));
      return (rows as unknown as readonly { one: number }[])[0]!.one;
    });
    expect(database.waiting).toBe(38);

    expect(await Promise.all(all)).toEqual(Array.from({ length: 40 }, (_, index) => index));
    expect([longest, database.waiting]).toEqual([0, 0]);
  });

  it('gives a connection to callbacks, and takes it back when it is released or destroyed', async () => {
    const database = queueDelay('database');
    const pool: Pool = database.watch(createPool({ ...server.connection, connectionLimit: 1 }));
    closing.push(() => new Promise((resolve) => pool.end(resolve)));
    const connect = () =>
      new Promise<Parameters<Parameters<Pool['getConnection']>[0]>[1]>((resolve, reject) => {
        pool.getConnection((error, connection) => (error ? reject(error) : resolve(connection)));
      });
    const first = await connect();
    const second = connect();
    const third = connect();

    // One that is destroyed tells nobody: the queue looks by itself.
    first.destroy();
    (await second).release();
    (await third).release();

    expect(database.waiting).toBe(0);
  });

  it('passes on that no connection can be made, and lets the next query try', async () => {
    const { pool } = watched(1, { port: 1 });

    const failed = await Promise.allSettled([pool.query('SELECT 1'), pool.query('SELECT 1')]);

    expect(failed.map((each) => each.status === 'rejected' && (each.reason as { code: string }).code)).toEqual([
      'ECONNREFUSED',
      'ECONNREFUSED',
    ]);
  });

  it('refuses queries of a pool that is stuck, and serves them again when it moves', async () => {
    const { database, pool } = watched(1);
    const stuck = await pool.getConnection();

    const refused: unknown = await pool.query('SELECT 1').catch((error: unknown) => error);
    stuck.release();
    await until(() => database.level === 0);

    expect(isOverloadError(refused)).toBe(true);
    await pool.query('SELECT 1');
  });
});
