import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { programFolder } from './debian-programs.mjs';
import { isMain } from './root.mjs';

const programs = ['postgres', 'initdb'];
// The server, and libraries that no other program of a machine may have.
const packages = ['postgresql-15', 'libpq5', 'libicu72', 'libldap-2.5-0', 'libsasl2-2', 'libxml2'];
/** Debian does not put the server on the path, because several versions can be installed. */
const versions = '/usr/lib/postgresql';

export const postgresAdvice =
  'test/postgres did not run, because it needs the programs postgres and initdb: ' +
  'install Postgres, or set SLUICE_POSTGRES to their folder.';

/** The folder with the server of Postgres, and with libraries for LD_LIBRARY_PATH. Undefined on a system without it. */
export function postgresFolder() {
  const places = existsSync(versions) ? readdirSync(versions).map((version) => join(versions, version, 'bin')) : [];
  return programFolder({
    name: 'postgres',
    variable: 'SLUICE_POSTGRES',
    programs,
    packages,
    folder: 'usr/lib/postgresql/15/bin',
    // A server finds its other files from where it is.
    tree: 'usr',
    places,
  });
}

if (isMain(import.meta.url)) console.log(postgresFolder() ?? postgresAdvice);
