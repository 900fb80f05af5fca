import { PrismaPg } from '@prisma/adapter-pg';
import { isOverloadError, queueDelay } from '@sluice/overload/queues';
import { Pool } from 'pg';
import { until } from '../support/until.js';
import { startPostgres, type PostgresServer } from './postgres-server.js';

let server: PostgresServer;
let pool: Pool;

beforeAll(async () => {
  server = await startPostgres();
});

afterEach(() => pool.end());
afterAll(() => server.stop());

/** What a client of Prisma 7 sends its queries through. */
async function adapterOf(max: number, target: string) {
  const database = queueDelay('database', { target });
  pool = database.watch(new Pool({ ...server.connection, max }));
  pool.on('error', () => {});
  return { database, adapter: await new PrismaPg(pool).connect() };
}

const query = (sql: string) => ({ sql, args: [], argTypes: [] });

describe('the pg adapter of Prisma, over a watched pool', () => {
  it('waits for a connection in the queue, and holds that of a transaction', async () => {
    // On a busy machine a queue stands for longer than the usual target.
    const { database, adapter } = await adapterOf(1, '10s');
    const transaction = await adapter.startTransaction();

    const waits = adapter.queryRaw(query('SELECT 1 AS one'));
    await until(() => database.waiting === 1);
    await transaction.queryRaw(query('SELECT 2 AS two'));
    await transaction.executeRaw(query('COMMIT'));
    await transaction.commit();

    expect((await waits).rows).toEqual([[1]]);
    expect([database.waiting, pool.waitingCount]).toEqual([0, 0]);
  });

  it('fails with the error of the queue while the pool is stuck', async () => {
    const { adapter } = await adapterOf(1, '200ms');
    const stuck = await pool.connect();

    const error: unknown = await adapter.queryRaw(query('SELECT 1')).catch((each: unknown) => each);
    stuck.release();

    expect([error, (error as Error).cause].some(isOverloadError)).toBe(true);
  });
});
