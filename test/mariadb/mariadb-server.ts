import { chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mariadbAdvice, mariadbFolder } from '../../scripts/mariadb.mjs';
import { onFreePort } from '../support/free-port.js';
import { startOnPort } from '../support/port-process.js';

/** A real MariaDB without tables of its own: nobody needs a password. */
export interface MariadbServer {
  readonly connection: {
    readonly host: string;
    readonly port: number;
    readonly user: string;
    readonly database: string;
  };
  stop(): Promise<void>;
}

/** A user without rights: MariaDB refuses to run as root. */
const UNPRIVILEGED = 65_534;

export async function startMariadb(): Promise<MariadbServer> {
  const programs = mariadbFolder();
  if (programs === undefined) throw new Error(mariadbAdvice);
  const user = process.getuid?.() === 0 ? UNPRIVILEGED : undefined;
  const directory = await mkdtemp(join(tmpdir(), 'sluice-mariadb-'));
  const data = join(directory, 'data');
  await mkdir(join(data, 'test'), { recursive: true });
  const init = join(directory, 'init.sql');
  await writeFile(init, 'CREATE DATABASE IF NOT EXISTS test;');
  if (user !== undefined) for (const each of [directory, data, join(data, 'test'), init]) await chown(each, user, user);
  const server = await onFreePort((port) =>
    startOnPort(port, {
      file: join(programs, 'mariadbd'),
      args: [
        '--no-defaults',
        `--datadir=${data}`,
        `--port=${port}`,
        '--bind-address=127.0.0.1',
        `--socket=${join(directory, 'socket')}`,
        `--pid-file=${join(directory, 'pid')}`,
        `--init-file=${init}`,
        // Its tables of users are not made, which takes seconds.
        '--skip-grant-tables',
        '--skip-networking=0',
        '--innodb-flush-log-at-trx-commit=0',
        '--innodb-buffer-pool-size=16M',
      ],
      environment: { LD_LIBRARY_PATH: programs },
      directory,
      user,
    }),
  );
  return {
    connection: { host: '127.0.0.1', port: server.port, user: 'sluice', database: 'test' },
    async stop() {
      await server.end();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
