import { programFolder } from './debian-programs.mjs';
import { isMain } from './root.mjs';

const programs = ['nginx'];

export const nginxAdvice =
  'test/nginx did not run, because it needs the program nginx: install it, or set SLUICE_NGINX to its folder.';

/** The folder with nginx. Undefined on a system without it. */
export function nginxFolder() {
  return programFolder({ name: 'nginx', variable: 'SLUICE_NGINX', programs, packages: programs, folder: 'usr/sbin' });
}

if (isMain(import.meta.url)) console.log(nginxFolder() ?? nginxAdvice);
