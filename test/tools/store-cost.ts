import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { postgresStore } from '../../examples/postgres-store/src/postgres-store.js';
import { sqliteStore } from '../../examples/sqlite-store/src/sqlite-store.js';
import { memoryStore, type Store } from '../../packages/core/src/index.js';
import { redisStore } from '../../packages/redis/src/index.js';
import { startPostgres } from '../postgres/postgres-server.js';
import { claim } from '../support/claim.js';
import { startRedis } from '../support/redis.js';
import { table } from './table.js';

// npm run tool -- store-cost
// What a check costs with the stores of the examples, beside memory and Redis. Postgres and SQLite write to the disk.

const CHECKS = 400;
const IN_FLIGHT = 16;
const policy = { algorithm: 'token-bucket', limit: 1_000_000, window: '1h' } as const;
const keys = Array.from({ length: IN_FLIGHT }, () => claim({ policy }));

const redis = await startRedis();
const postgres = await startPostgres({ fsync: 'on', full_page_writes: 'on' });
const folder = await mkdtemp(join(tmpdir(), 'sluice-store-cost-'));
const { connection } = postgres;
const late = { deadline: 20_000 };
const stores: Record<string, () => Store> = {
  memory: () => memoryStore(),
  Redis: () => redisStore({ url: `redis://127.0.0.1:${redis.port}` }, { deadline: '10s' }),
  Postgres: () => postgresStore(connection, late),
  'Postgres, synchronous_commit off': () =>
    postgresStore({ ...connection, options: '-c synchronous_commit=off' }, late),
  'SQLite, a file': () => sqliteStore(join(folder, 'states.db')),
};

const rows: (string | number)[][] = [
  ['', 'p50, ms', 'p99, ms', 'checks/s, one key', 'checks/s, 16 keys', 'CPU here, ms', 'WAL, bytes'],
];
for (const [name, open] of Object.entries(stores)) {
  const store = open();
  await run(store, IN_FLIGHT, IN_FLIGHT);
  const times = await run(store, 1, 1);
  const cpu = process.cpuUsage();
  const wal = await written();
  const one = await speed(store, 1);
  const many = await speed(store, IN_FLIGHT);
  const { user, system } = process.cpuUsage(cpu);
  const bytes = name.startsWith('Postgres') ? Math.round(((await written()) - wal) / (2 * CHECKS)) : '–';
  const sorted = times.toSorted((left, right) => left - right);
  const [p50, p99] = [0.5, 0.99].map((part) => sorted[Math.floor(part * sorted.length)]!.toFixed(2));
  rows.push([name, p50!, p99!, one, many, ((user + system) / 1000 / (2 * CHECKS)).toFixed(2), bytes]);
  await store.close();
}
console.log(table(rows));
const [size] = await postgres.query(
  `SELECT pg_table_size('sluice_states')::int AS rows, pg_indexes_size('sluice_states')::int AS indexes`,
);
console.log(
  `\nPostgres after ${5 * CHECKS} checks of ${IN_FLIGHT} keys: ${String(size!['rows'])} bytes of rows, ${String(size!['indexes'])} of indexes.`,
);

await postgres.stop();
await redis.stop();
await rm(folder, { recursive: true });

/** The time of each check, in milliseconds. */
async function run(store: Store, inFlight: number, distinct: number): Promise<number[]> {
  const times: number[] = [];
  let next = 0;
  const client = async () => {
    while (next < CHECKS) {
      const claims = [keys[next++ % distinct]!];
      const startedAt = performance.now();
      await store.consume(claims);
      times.push(performance.now() - startedAt);
    }
  };
  await Promise.all(Array.from({ length: inFlight }, client));
  return times;
}

async function speed(store: Store, distinct: number): Promise<number> {
  const startedAt = performance.now();
  await run(store, IN_FLIGHT, distinct);
  return Math.round(CHECKS / ((performance.now() - startedAt) / 1000));
}

/** The bytes that Postgres has logged. */
async function written(): Promise<number> {
  const [row] = await postgres.query(`SELECT (pg_current_wal_lsn() - '0/0')::float8 AS bytes`);
  return row!['bytes'] as number;
}
