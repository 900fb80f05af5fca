import type { Pool, PoolClient, PoolConfig } from 'pg';
import { Connections, DEADLINE } from './connections.js';
import { digestOf, States, type Row } from './states.js';

/** Run it in a migration. Processes that run it at the same time wait for each other. */
export const SCHEMA = `
  -- Without the lock, two that create a table at the same time fail, also with IF NOT EXISTS.
  SELECT pg_advisory_xact_lock(hashtextextended('sluice_states', 0));
  CREATE TABLE IF NOT EXISTS sluice_states (
    key text COLLATE "C" PRIMARY KEY,
    state text NOT NULL,
    records text NOT NULL,
    -- Milliseconds since 1970, of a whole minute. Infinity for a balance with units.
    expires_at double precision NOT NULL
  -- Half of a page is for new versions of its rows: an update within a page changes no index.
  ) WITH (fillfactor = 50);
  CREATE INDEX IF NOT EXISTS sluice_states_by_expiry ON sluice_states (expires_at);
`;

// In one order for all processes, so that no two of them wait for each other. A row that does not exist has no lock.
const LOCK = `
  SELECT pg_advisory_xact_lock(number) FROM (
    SELECT DISTINCT hashtextextended(key, 0) AS number FROM unnest($1::text[]) AS key ORDER BY number
  ) AS numbers`;
// Without a row of the table it has the clock alone.
const READ = `
  SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS now, current_setting('transaction_read_only') AS read_only,
    key, state, records, expires_at
  FROM (VALUES (1)) AS once LEFT JOIN sluice_states ON key = ANY ($1::text[])`;
const WRITE = `
  INSERT INTO sluice_states (key, state, records, expires_at)
  SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::float8[])
  ON CONFLICT (key) DO UPDATE
  SET state = excluded.state, records = excluded.records, expires_at = excluded.expires_at`;
const DELETE = 'DELETE FROM sluice_states WHERE key = ANY ($1::text[])';
// It skips rows that others have locked, so it waits for no request. As an array the rows are chosen once.
const SWEEP = `
  DELETE FROM sluice_states WHERE key = ANY (ARRAY(
    SELECT key FROM sluice_states WHERE expires_at <= extract(epoch FROM now())::float8 * 1000
    LIMIT 1000 FOR UPDATE SKIP LOCKED
  ))`;

export interface StateTableOptions {
  /** The longest time that a call waits for Postgres, in milliseconds. @default 250 */
  readonly deadline?: number;
  /** The time between two deletions of expired rows, in milliseconds. @default 60 000 */
  readonly sweepEvery?: number;
}

/** The table of states. */
export class StateTable {
  readonly #connections: Connections;
  readonly #begin: string;
  readonly #sweeps: NodeJS.Timeout;
  /** The last call about each key that this process has not finished, by digest. */
  readonly #last = new Map<string, Promise<unknown>>();

  constructor(from: Pool | PoolConfig, { deadline = DEADLINE, sweepEvery = 60_000 }: StateTableOptions = {}) {
    this.#connections = new Connections(from, deadline);
    // A database can have another isolation by default: a statement would then read what was there before the lock.
    // The times end a statement that waits for a lock, also after its client has left, and free the locks of a process
    // that stops half way.
    this.#begin = `
      BEGIN ISOLATION LEVEL READ COMMITTED;
      SET LOCAL statement_timeout = ${deadline};
      SET LOCAL idle_in_transaction_session_timeout = ${deadline}`;
    this.#sweeps = setInterval(() => void this.#sweep(), sweepEvery).unref();
  }

  /** Decides by the states of keys and writes what changes. No other process can change them in the meantime. */
  change<T>(keys: readonly string[], decide: (states: States) => T): Promise<T> {
    const digests = keys.map(digestOf);
    return this.#inOrder(digests, async (client) => {
      const [, , states] = await Promise.all([
        client.query(this.#begin),
        client.query(LOCK, [digests]),
        statesOf(client, digests),
      ]);
      const result = decide(states);
      await Promise.all([write(client, states), client.query('COMMIT')]);
      return result;
    });
  }

  read<T>(keys: readonly string[], look: (states: States) => T): Promise<T> {
    const digests = keys.map(digestOf);
    return this.#connections.call(async (client) => look(await this.#commit(client, () => statesOf(client, digests))));
  }

  async delete(keys: readonly string[]): Promise<void> {
    const digests = keys.map(digestOf);
    await this.#inOrder(digests, (client) =>
      this.#commit(client, () => Promise.all([client.query(LOCK, [digests]), client.query(DELETE, [digests])])),
    );
  }

  close(): Promise<void> {
    clearInterval(this.#sweeps);
    return this.#connections.close();
  }

  /** Calls about a key run in their order, so that a busy key takes one connection of the process, and not all. */
  #inOrder<T>(digests: readonly string[], work: (client: PoolClient) => Promise<T>): Promise<T> {
    const before = Promise.allSettled(digests.map((digest) => this.#last.get(digest)));
    const call = this.#connections.call(work, before);
    const forget = () => {
      for (const digest of digests) if (this.#last.get(digest) === call) this.#last.delete(digest);
    };
    for (const digest of digests) this.#last.set(digest, call);
    call.then(forget, forget);
    return call;
  }

  /** A transaction of one round trip: `send` waits for no answer between its statements. */
  async #commit<T>(client: PoolClient, send: () => Promise<T>): Promise<T> {
    const [, result] = await Promise.all([client.query(this.#begin), send(), client.query('COMMIT')]);
    return result;
  }

  async #sweep(): Promise<void> {
    const sweep = (client: PoolClient) => this.#commit(client, () => client.query(SWEEP));
    try {
      while ((await this.#connections.call(sweep)).rowCount === 1000);
    } catch {
      // The next sweep deletes what this one has left.
    }
  }
}

/** @throws when the server is a standby: what it has may be old, and it admits nothing */
async function statesOf(client: PoolClient, digests: readonly string[]): Promise<States> {
  const { rows } = await client.query<Row & { key: string; now: number; read_only: 'on' | 'off' }>(READ, [digests]);
  const [{ now, read_only }] = rows as [(typeof rows)[0]];
  if (read_only === 'on') throw new Error('this server takes no writes');
  return new States(now, rows);
}

async function write(client: PoolClient, { changed }: States): Promise<void> {
  if (changed.size === 0) return;
  const rows = [...changed.values()];
  const columns = (['state', 'records', 'expires_at'] as const).map((column) => rows.map((row) => row[column]));
  await client.query(WRITE, [[...changed.keys()], ...columns]);
}
