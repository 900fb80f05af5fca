import { existsSync } from 'node:fs';
import { chown, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, type PoolConfig } from 'pg';
import { SCHEMA } from '../../examples/postgres-store/src/state-table.js';
import { postgresAdvice, postgresFolder } from '../../scripts/postgres.mjs';
import { root } from '../../scripts/root.mjs';
import { execute } from '../support/child.js';
import { onFreePort } from '../support/free-port.js';
import { startOnPort } from '../support/port-process.js';
import { untilAnswered } from '../support/until.js';

/** A real Postgres with the table of the example. */
export interface PostgresServer {
  readonly connection: PoolConfig;
  /** Runs statements as an operator. */
  query(text: string): Promise<readonly Record<string, unknown>[]>;
  /** Starts it again on its port, as a standby that takes no writes until it is promoted. */
  demote(): Promise<void>;
  stop(): Promise<void>;
}

/** A user without rights: Postgres refuses to run as root. */
const UNPRIVILEGED = 65_534;

/** @param settings of the server, in place of those that make a test cheap */
export async function startPostgres(settings: Readonly<Record<string, string>> = {}): Promise<PostgresServer> {
  const programs = postgresFolder();
  if (programs === undefined) throw new Error(postgresAdvice);
  const user = process.getuid?.() === 0 ? UNPRIVILEGED : undefined;
  const directory = await mkdtemp(join(tmpdir(), 'sluice-postgres-'));
  if (user !== undefined) await chown(directory, user, user);
  const data = join(directory, 'data');
  await execute('cp', ['-a', await emptyData(programs, user), data]);
  const environment = { LD_LIBRARY_PATH: programs };
  const start = (free: number) =>
    startOnPort(free, {
      file: join(programs, 'postgres'),
      args: argsOf(data, free, settings),
      environment,
      directory,
      user,
    });

  let server = await onFreePort(start);
  const { port } = server;
  const connection = { host: '127.0.0.1', port, user: 'sluice', database: 'postgres' };
  const connect = () =>
    untilAnswered(async () => {
      const client = new Client(connection);
      await client.connect();
      // A standby reads in no other mode.
      await client.query(`SET default_transaction_isolation = 'read committed'`);
      return client;
    });
  let admin = await connect();
  /** Ends the server, which would wait for its clients. */
  const leave = async () => {
    await admin.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`);
    await admin.end();
    await server.end();
  };
  await admin.query(SCHEMA);
  return {
    connection,
    query: async (text) => (await admin.query<Record<string, unknown>>(text)).rows,
    async demote() {
      await leave();
      await writeFile(join(data, 'standby.signal'), '');
      server = await start(port);
      admin = await connect();
    },
    async stop() {
      await leave();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** The folder of a database without tables, which takes 2 s of a processor to make. */
async function emptyData(programs: string, user: number | undefined): Promise<string> {
  const cache = join(root, 'node_modules', '.cache', 'sluice');
  const { stdout } = await execute(join(programs, 'postgres'), ['--version']);
  const made = join(cache, `postgres-data-${/[\d.]+/.exec(stdout)![0]}`);
  if (existsSync(made)) return made;

  await mkdir(cache, { recursive: true });
  const directory = await mkdtemp(join(tmpdir(), 'sluice-postgres-'));
  if (user !== undefined) await chown(directory, user, user);
  await execute(
    join(programs, 'initdb'),
    ['-D', 'data', '-U', 'sluice', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync', '--wal-segsize=1'],
    {
      cwd: directory,
      env: { ...process.env, LD_LIBRARY_PATH: programs },
      ...(user !== undefined && { uid: user, gid: user }),
    },
  );
  // In one step, because another process may make the same. Both are good.
  const draft = `${made}.${process.pid}`;
  await execute('cp', ['-a', join(directory, 'data'), draft]);
  await rename(draft, made).catch(() => rm(draft, { recursive: true }));
  await rm(directory, { recursive: true });
  return made;
}

/** A crash of the machine need not be survived. Transactions are serializable unless they ask for less. */
function argsOf(data: string, port: number, others: Readonly<Record<string, string>>): string[] {
  const settings = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    fsync: 'off',
    full_page_writes: 'off',
    shared_buffers: '16MB',
    autovacuum: 'off',
    default_transaction_isolation: 'serializable',
    ...others,
  };
  return ['-D', data, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
}
