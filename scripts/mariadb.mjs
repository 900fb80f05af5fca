import { programFolder } from './debian-programs.mjs';
import { isMain } from './root.mjs';

export const mariadbAdvice =
  'test/mariadb did not run, because it needs the program mariadbd: install MariaDB, or set SLUICE_MARIADB to its folder.';

/** The folder with the server of MariaDB, and with libraries for LD_LIBRARY_PATH. Undefined on a system without it. */
export function mariadbFolder() {
  return programFolder({
    name: 'mariadb',
    variable: 'SLUICE_MARIADB',
    programs: ['mariadbd'],
    packages: ['mariadb-server-core', 'libaio1', 'liburing2', 'libnuma1'],
    folder: 'usr/sbin',
    // A server finds its messages from where it is.
    tree: 'usr',
    places: ['/usr/sbin'],
  });
}

if (isMain(import.meta.url)) console.log(mariadbFolder() ?? mariadbAdvice);
