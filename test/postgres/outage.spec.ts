import { randomUUID } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import type { AbleStore } from '@sluice/core/own-store';
import { Client } from 'pg';
import { openPool } from '../../examples/postgres-store/src/connections.js';
import { postgresStore } from '../../examples/postgres-store/src/postgres-store.js';
import { StateTable } from '../../examples/postgres-store/src/state-table.js';
import { digestOf } from '../../examples/postgres-store/src/states.js';
import { listen, type Listener } from '../support/listener.js';
import { until, untilAnswered } from '../support/until.js';
import { claimOf, LIMIT, LONG } from './claims.js';
import { startPostgres, type PostgresServer } from './postgres-server.js';

/** More than one answer takes. */
const SHORT = 1_000;
/** Connections that wait for a lock. */
const WAITS = `SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock'`;

let server: PostgresServer;

beforeAll(async () => {
  server = await startPostgres();
});

afterAll(() => server.stop());

describe('the Postgres store of the guide, in an outage', () => {
  const unavailable = { name: 'StoreError', code: 'STORE_UNAVAILABLE', message: 'Postgres could not answer' };
  let store: AbleStore;
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

    expect(await store.recorded!(key)).toEqual(['in time']);
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

  it('ends the connection of a call without an answer, and answers the next call on another', async () => {
    const pairs: { readonly client: Socket; readonly upstream: Socket }[] = [];
    relay = await listen((client) => {
      const upstream = connect(server.connection.port!, '127.0.0.1').on('error', () => undefined);
      pairs.push({ client, upstream });
      client.pipe(upstream).pipe(client);
    });
    store = postgresStore({ ...server.connection, port: relay.port, max: 1 }, { deadline: SHORT });
    await untilAnswered(() => store.consume([claimOf()]));
    const { client, upstream } = pairs.at(-1)!;
    upstream.unpipe(client);

    await expect(store.consume([claimOf()])).rejects.toMatchObject(unavailable);
    await until(() => client.destroyed);
    upstream.pipe(client);
    const answer = await untilAnswered(() => store.consume([claimOf(), { ...claimOf(), tier: 'second' }]));

    expect(answer.outcomes.map(({ tier, remaining }) => [tier, remaining])).toEqual([
      ['tier', LIMIT - 1],
      ['second', LIMIT - 1],
    ]);
  });

  it('rejects at the deadline where a server accepts a connection and says nothing', async () => {
    relay = await listen();
    store = postgresStore({ ...server.connection, port: relay.port, max: 2 }, { deadline: 100 });

    const results = await Promise.allSettled(Array.from({ length: 5 }, async () => store.consume([claimOf()])));

    expect(results.map(({ status }) => status)).toEqual(Array(5).fill('rejected'));
  });

  it('leaves no connection that waits at the server after its caller has left', async () => {
    open({ deadline: 100, sweepEvery: 5 });
    await other.query('BEGIN');
    await other.query('LOCK TABLE sluice_states IN ACCESS EXCLUSIVE MODE');

    const claim = claimOf();
    const calls = [() => store.peek([claim]), () => store.consume([claim]), () => store.reset([claim.key])];
    for (const call of calls) await expect(Promise.resolve(call())).rejects.toMatchObject(unavailable);
    await store.close();

    await until(async () => (await server.query(WAITS)).length === 0);
    await other.query('ROLLBACK');
  });

  it('survives that the server ends its idle connections', async () => {
    const pool = openPool(server.connection, LONG);
    store = postgresStore(pool, { deadline: LONG });
    await store.consume([claimOf()]);
    const removed = new Promise((resolve) => pool.once('remove', resolve));
    const own = await other.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');

    await server.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE backend_type = 'client backend' AND state = 'idle'
       AND pid NOT IN (pg_backend_pid(), ${own.rows[0]!.pid})`,
    );
    await removed;

    expect((await store.consume([claimOf()])).outcomes[0]!.allowed).toBe(true);
    await pool.end();
  });

  it('tries to connect again after a pause, and not with each call', async () => {
    let attempts = 0;
    relay = await listen((socket) => {
      attempts += 1;
      socket.destroy();
    });
    store = postgresStore({ ...server.connection, port: relay.port }, { deadline: LONG });

    const startedAt = performance.now();
    for (let call = 0; call < 50; call += 1)
      await expect(store.consume([claimOf()])).rejects.toMatchObject(unavailable);
    const took = performance.now() - startedAt;

    expect(attempts).toBeLessThanOrEqual(1 + took / 250);
  });

  it('rejects where no server listens', async () => {
    store = postgresStore({ ...server.connection, port: 1 });

    await expect(store.consume([claimOf()])).rejects.toMatchObject(unavailable);
    await expect(store.peek([claimOf()])).rejects.toMatchObject(unavailable);
  });

  it('neither admits nor denies by a standby, and decides again after its promotion', async () => {
    const claim = claimOf();
    open();
    await store.consume([{ ...claim, cost: LIMIT }]);
    await other.end();

    await server.demote();
    const settled = await Promise.allSettled([store.peek([claim]), store.consume([claim]), store.consume([claimOf()])]);
    await server.query('SELECT pg_promote()');
    const answer = await untilAnswered(() => store.consume([claim]));

    expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(answer.outcomes[0]!.allowed).toBe(false);
    expect((await store.consume([claimOf()])).outcomes[0]!.allowed).toBe(true);
  });
});
