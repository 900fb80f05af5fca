import { programFolder } from './debian-programs.mjs';
import { isMain } from './root.mjs';

const programs = ['promtool', 'prometheus', 'prometheus-redis-exporter'];
const packages = ['prometheus', 'prometheus-redis-exporter'];

export const prometheusAdvice =
  'test/prometheus did not run, because it needs the programs prometheus, promtool and prometheus-redis-exporter, ' +
  'which come from Debian: put them into one folder and set SLUICE_PROMETHEUS to its path.';

/** The folder with Prometheus, its promtool and the exporter of Redis. Undefined on a system without them. */
export function prometheusFolder() {
  return programFolder({ name: 'prometheus', variable: 'SLUICE_PROMETHEUS', programs, packages, folder: 'usr/bin' });
}

if (isMain(import.meta.url)) console.log(prometheusFolder() ?? prometheusAdvice);
