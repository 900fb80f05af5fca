import { chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, type PoolConfig } from 'pg';
import { SCHEMA } from '../../examples/postgres-store/src/state-table.js';
import { postgresAdvice, postgresFolder } from '../../scripts/postgres.mjs';
import { execute } from '../support/child.js';
import { onFreePort } from '../support/free-port.js';
import { startOnPort } from '../support/port-process.js';
import { untilAnswered } from '../support/until.js';

/** A real Postgres with the table of the example. */
export interface PostgresServer {
  readonly connection: PoolConfig;
  /** Runs statements as an operator. */
  query(text: string): Promise<readonly Record<string, unknown>[]>;
  stop(): Promise<void>;
}

/** A user without rights: Postgres refuses to run as root. */
const UNPRIVILEGED = 65_534;

export async function startPostgres(): Promise<PostgresServer> {
  const programs = postgresFolder();
  if (programs === undefined) throw new Error(postgresAdvice);
  const user = process.getuid?.() === 0 ? UNPRIVILEGED : undefined;
  const directory = await mkdtemp(join(tmpdir(), 'sluice-postgres-'));
  if (user !== undefined) await chown(directory, user, user);
  const data = join(directory, 'data');
  const environment = { LD_LIBRARY_PATH: programs };

  await execute(
    join(programs, 'initdb'),
    ['-D', data, '-U', 'sluice', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync', '--wal-segsize=1'],
    { cwd: directory, env: { ...process.env, ...environment }, ...(user !== undefined && { uid: user, gid: user }) },
  );
  const { port, end } = await onFreePort((free) =>
    startOnPort(free, { file: join(programs, 'postgres'), args: argsOf(data, free), environment, directory, user }),
  );

  const connection = { host: '127.0.0.1', port, user: 'sluice', database: 'postgres' };
  const admin = await untilAnswered(async () => {
    const client = new Client(connection);
    await client.connect();
    return client;
  });
  await admin.query(SCHEMA);
  return {
    connection,
    query: async (text) => (await admin.query<Record<string, unknown>>(text)).rows,
    async stop() {
      await admin.end();
      await end();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** A crash of the machine need not be survived. Transactions are serializable unless they ask for less. */
function argsOf(data: string, port: number): string[] {
  const settings = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    fsync: 'off',
    autovacuum: 'off',
    default_transaction_isolation: 'serializable',
  };
  return ['-D', data, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
}
