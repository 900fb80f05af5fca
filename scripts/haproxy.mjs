import { programFolder } from './debian-programs.mjs';
import { isMain } from './root.mjs';

const programs = ['haproxy'];
// The program is linked with two libraries that no other program of a machine may have.
const packages = [...programs, 'liblua5.3-0', 'libopentracing-c-wrapper0', 'libopentracing1'];

export const haproxyAdvice =
  'test/proxies did not run, because it needs the programs nginx and haproxy: install them, or set SLUICE_NGINX and SLUICE_HAPROXY to their folders.';

/** The folder with haproxy, and with libraries for LD_LIBRARY_PATH. Undefined on a system without it. */
export function haproxyFolder() {
  return programFolder({ name: 'haproxy', variable: 'SLUICE_HAPROXY', programs, packages, folder: 'usr/sbin' });
}

if (isMain(import.meta.url)) console.log(haproxyFolder() ?? haproxyAdvice);
