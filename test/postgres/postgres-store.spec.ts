import { randomUUID } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { definePolicy, type Store } from '@sluice/core';
import type { Claim } from '@sluice/core/own-store';
import { storeSuite } from '@sluice/core/testing';
import { Client, type Pool } from 'pg';
import { openPool } from '../../examples/postgres-store/src/connections.js';
import { postgresStore } from '../../examples/postgres-store/src/postgres-store.js';
import { StateTable } from '../../examples/postgres-store/src/state-table.js';
import { digestOf } from '../../examples/postgres-store/src/states.js';
import { listen, type Listener } from '../support/listener.js';
import { until, untilAnswered } from '../support/until.js';
import { startPostgres, type PostgresServer } from './postgres-server.js';

/** More than a busy machine takes. */
const LONG = 20_000;
/** More than one answer takes. */
const SHORT = 3_000;
const LIMIT = 20;
/** Connections that wait for the lock of a key. */
const WAITS = `SELECT pid FROM pg_stat_activity WHERE wait_event = 'advisory'`;

const claimOf = (key: string = randomUUID()): Claim => ({
  tier: 'tier',
  key,
  policy: definePolicy({ limit: LIMIT, window: '1h' }),
  cost: 1,
  shadow: false,
  charge: 'admitted',
  record: undefined,
});

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

describe('the Postgres store of the guide, in an outage', () => {
  const unavailable = { name: 'StoreError', code: 'STORE_UNAVAILABLE', message: 'Postgres could not answer' };
  let store: Store;
  let other: Client;
  let relay: Listener | undefined;

  beforeEach(async () => {
    other = new Client(server.connection);
    await other.connect();
  });

  afterEach(async () => {
    await Promise.all([store.close(), other.end()]);
    await relay?.close();
    relay = undefined;
  });

  const open = (options?: { deadline?: number; sweepEvery?: number }) =>
    (store = postgresStore({ ...server.connection, max: 4 }, { deadline: LONG, ...options }));
  const lock = async (key: string) => {
    await other.query('BEGIN');
    await other.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [digestOf(key)]);
  };

  it('rejects at the deadline when another process holds a key, and answers other keys', async () => {
    const claim = claimOf();
    open({ deadline: SHORT });
    await lock(claim.key);

    const startedAt = performance.now();
    const held = Array.from({ length: 10 }, async () => store.consume([claim]));
    const free = await store.consume([claimOf()]);
    const results = await Promise.allSettled(held);
    const took = performance.now() - startedAt;
    await until(async () => (await server.query(WAITS)).length === 0);
    await other.query('ROLLBACK');

    expect(free.outcomes[0]!.remaining).toBe(LIMIT - 1);
    expect(results.every(({ status }) => status === 'rejected')).toBe(true);
    await expect(held[9]).rejects.toMatchObject(unavailable);
    expect(took).toBeLessThan(LONG);
    const answer = await untilAnswered(() => store.consume([claim]));
    expect(answer.outcomes[0]!.remaining).toBe(LIMIT - 1);
  });

  it('lets a process that stopped half way write nothing, and frees what it has locked', async () => {
    const key = randomUUID();
    store = open();
    const table = new StateTable({ ...server.connection, max: 1 }, { deadline: 1_000 });
    await untilAnswered(() => table.read([key], ({ now }) => now));
    const stopped = table.change([key], (states) => {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_500);
      states.save(key, { text: '{}', expiresAt: Infinity }, ['too late']);
    });

    await expect(stopped).rejects.toMatchObject(unavailable);
    await store.consume([{ ...claimOf(key), record: 'in time' }]);
    await table.close();

    expect(await store.recorded(key)).toEqual(['in time']);
  });

  it('counts nothing of a call whose connection breaks, and connects again', async () => {
    const claim = claimOf();
    open();
    await lock(claim.key);
    const call = Promise.resolve(store.consume([claim]));
    await until(async () => (await server.query(WAITS)).length === 1);

    await server.query(`SELECT pg_terminate_backend(pid) FROM (${WAITS}) AS waiting`);

    await expect(call).rejects.toMatchObject(unavailable);
    await other.query('ROLLBACK');
    expect((await store.consume([claim])).outcomes[0]!.remaining).toBe(LIMIT - 1);
  });

  it('rejects at the deadline when the server hangs', async () => {
    const upstreams: Socket[] = [];
    let hasHung = false;
    relay = await listen((socket) => {
      if (hasHung) return;
      const upstream = connect(server.connection.port!, '127.0.0.1').on('error', () => undefined);
      upstreams.push(upstream);
      socket.pipe(upstream).pipe(socket);
    });
    store = postgresStore({ ...server.connection, port: relay.port, max: 4 }, { deadline: SHORT });
    await untilAnswered(() => store.consume([claimOf()]));

    hasHung = true;
    for (const upstream of upstreams) upstream.unpipe();
    const startedAt = performance.now();
    const hangs = Array.from({ length: 3 }, async () => store.consume([claimOf()]));
    const results = await Promise.allSettled(hangs);
    const took = performance.now() - startedAt;

    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    await expect(hangs[0]).rejects.toMatchObject(unavailable);
    expect(took).toBeLessThan(LONG);
    hasHung = false;
    await untilAnswered(() => store.consume([claimOf()]));
  });

  it('survives that the server ends its idle connections', async () => {
    open();
    await store.consume([claimOf()]);

    await server.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE backend_type = 'client backend' AND state = 'idle'
       AND pid NOT IN (pg_backend_pid(), ${(await other.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows[0]!.pid})`,
    );

    const answer = await untilAnswered(() => store.consume([claimOf()]));
    expect(answer.outcomes[0]!.allowed).toBe(true);
  });

  it('rejects where no server listens', async () => {
    store = postgresStore({ ...server.connection, port: 1 });

    await expect(store.consume([claimOf()])).rejects.toMatchObject(unavailable);
    await expect(store.peek([claimOf()])).rejects.toMatchObject(unavailable);
  });

  it('deletes rows that have expired, and no other, without waiting for one that is locked', async () => {
    const rows = ['locked', 'old', 'new', 'endless'].map((name) => `'${name}-${randomUUID()}'`);
    const times = ['0', '1', '1e15', `'Infinity'`];
    await server.query(
      `INSERT INTO sluice_states VALUES ${rows.map((key, index) => `(${key}, '{}', '[]', ${times[index]})`).join(', ')}`,
    );
    await other.query(`BEGIN`);
    await other.query(`SELECT FROM sluice_states WHERE key = ${rows[0]} FOR UPDATE`);
    const left = async () => {
      const found = await server.query(`SELECT key FROM sluice_states WHERE key IN (${rows.join(', ')})`);
      return found.map(({ key }) => /^[a-z]+/.exec(String(key))![0]).toSorted();
    };
    open({ sweepEvery: 5 });

    await until(async () => !(await left()).includes('old'));

    expect(await left()).toEqual(['endless', 'locked', 'new']);
    await other.query('ROLLBACK');
    await until(async () => (await left()).length === 2);
  });
});
