import { randomUUID } from 'node:crypto';
import { definePolicy, type Store } from '@sluice/core';
import { storeSuite } from '@sluice/testing';
import { Client, type Pool } from 'pg';
import { openPool } from '../../examples/postgres-store/src/connections.js';
import { postgresStore } from '../../examples/postgres-store/src/postgres-store.js';
import { SCHEMA } from '../../examples/postgres-store/src/state-table.js';
import { until } from '../support/until.js';
import { claimOf, LIMIT, LONG } from './claims.js';
import { startPostgres, type PostgresServer } from './postgres-server.js';

let server: PostgresServer;
let pool: Pool;

beforeAll(async () => {
  server = await startPostgres();
  pool = openPool(server.connection, LONG);
});

afterAll(async () => {
  await pool.end();
  await server.stop();
});

describe('the Postgres store of the guide', () => {
  storeSuite({ describe, it }, () => postgresStore(pool, { deadline: LONG }));
});

describe('the Postgres store of the guide, in several processes', () => {
  let stores: readonly Store[];

  beforeEach(() => {
    stores = [1, 2].map(() => postgresStore({ ...server.connection, max: 4 }, { deadline: LONG }));
  });

  afterEach(async () => {
    await Promise.all(stores.map((store) => store.close()));
  });

  it('admits what the limit allows of requests that name the same tiers in any order', async () => {
    const tiers = ['one', 'two', 'three'].map((tier) => ({ ...claimOf(), tier }));
    const groups = Array.from({ length: 2 * LIMIT }, (_, index) => {
      const own = { ...claimOf(), tier: 'own' };
      return index % 2 === 0 ? [...tiers, own] : [own, ...tiers.toReversed()];
    });

    const answers = await Promise.all(groups.flatMap((group) => stores.map(async (store) => store.consume(group))));
    const left = (await stores[0]!.peek(tiers)).outcomes.map(({ remaining }) => remaining);
    const owned = await stores[1]!.peek(groups.map((group) => group.find(({ tier }) => tier === 'own')!));

    expect(answers.filter(({ receipts }) => receipts.length === 4)).toHaveLength(LIMIT);
    expect(answers.filter(({ receipts }) => receipts.length === 0)).toHaveLength(3 * LIMIT);
    expect(left).toEqual([0, 0, 0]);
    expect(owned.outcomes.reduce((sum, { limit, remaining }) => sum + limit - remaining, 0)).toBe(LIMIT);
  });

  it('returns units once, of refunds at the same time', async () => {
    const claim = claimOf();
    const { receipts } = await stores[0]!.consume([{ ...claim, cost: 5 }]);

    const given = await Promise.all(stores.flatMap((store) => [1, 2, 3].map(() => store.refund(receipts))));
    const { outcomes } = await stores[1]!.peek([claim]);

    expect(outcomes[0]!.remaining).toBe(LIMIT);
    expect(given.reduce((sum, units) => sum + units)).toBe(5);
  });

  it('decides by the clock of the server', async () => {
    const claim = claimOf();
    const clock = jest.spyOn(Date, 'now').mockReturnValue(0);

    await stores[0]!.consume([claim]);
    clock.mockRestore();
    const { outcomes } = await stores[1]!.peek([claim]);

    expect(outcomes[0]!.remaining).toBe(LIMIT - 1);
  });
});

describe('the table of the Postgres store', () => {
  /** Opens a store with a table of its own. */
  const inSchema = async (name: string, processes: number) => {
    await server.query(`CREATE SCHEMA ${name}`);
    const connection = { ...server.connection, options: `-c search_path=${name}` };
    const clients = Array.from({ length: processes }, () => new Client(connection));
    await Promise.all(clients.map((client) => client.connect()));
    const created = await Promise.allSettled(clients.map((client) => client.query(SCHEMA)));
    await Promise.all(clients.map((client) => client.end()));
    return { connection, created };
  };

  it('is created once by migrations that run at the same time', async () => {
    const { created } = await inSchema('migrations', 8);

    expect(created.filter(({ status }) => status === 'rejected')).toEqual([]);
  });

  it('changes no index when a key is charged again', async () => {
    const { connection } = await inSchema('busy', 1);
    const store = postgresStore({ ...connection, max: 1 }, { deadline: LONG });
    const claim = { ...claimOf(), policy: definePolicy({ algorithm: 'token-bucket', limit: 100_000, window: '1h' }) };

    for (let charge = 0; charge < 200; charge += 1) await store.consume([claim]);
    await store.close();

    // A connection that ends reports what it has done.
    const busy = `SELECT n_tup_upd::int AS all, n_tup_hot_upd::int AS hot FROM pg_stat_user_tables WHERE schemaname = 'busy'`;
    await until(async () => (await server.query(busy))[0]!['all'] === 199);
    // The expiry moves by 36 ms with a charge: 200 charges begin at most two minutes.
    expect((await server.query(busy))[0]!['hot']).toBeGreaterThanOrEqual(197);
  });

  it('leaves nothing in a session, which a pool such as PgBouncer gives to other clients', async () => {
    const own = openPool({ ...server.connection, max: 1 }, LONG);
    const session = `SELECT (SELECT count(*) FROM pg_prepared_statements)::int AS statements,
      (SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid())::int AS locks,
      current_setting('statement_timeout') AS timeout, current_setting('idle_in_transaction_session_timeout') AS idle`;
    const before = (await own.query(session)).rows;
    const store = postgresStore(own, { deadline: LONG });
    const claim = claimOf();

    await store.consume([claim]);
    await store.peek([claim]);
    await store.reset([claim.key]);

    expect((await own.query(session)).rows).toEqual(before);
    expect(before).toEqual([{ statements: 0, locks: 0, timeout: '0', idle: '0' }]);
    await own.end();
  });

  it('deletes rows that have expired, and no other, without waiting for one that is locked', async () => {
    const other = new Client(server.connection);
    await other.connect();
    const rows = ['locked', 'old', 'new', 'endless'].map((name) => `'${name}-${randomUUID()}'`);
    const times = ['0', '1', '1e15', `'Infinity'`];
    await server.query(
      `INSERT INTO sluice_states VALUES ${rows.map((key, index) => `(${key}, '{}', '[]', ${times[index]})`).join(', ')}`,
    );
    await other.query('BEGIN');
    await other.query(`SELECT FROM sluice_states WHERE key = ${rows[0]} FOR UPDATE`);
    const left = async () => {
      const found = await server.query(`SELECT key FROM sluice_states WHERE key IN (${rows.join(', ')})`);
      return found.map(({ key }) => /^[a-z]+/.exec(String(key))![0]).toSorted();
    };
    const store = postgresStore(pool, { deadline: LONG, sweepEvery: 5 });

    await until(async () => !(await left()).includes('old'));

    expect(await left()).toEqual(['endless', 'locked', 'new']);
    await other.query('ROLLBACK');
    await until(async () => (await left()).length === 2);
    await Promise.all([store.close(), other.end()]);
  });
});
