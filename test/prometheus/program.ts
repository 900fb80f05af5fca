import { join } from 'node:path';
import { prometheusAdvice, prometheusFolder } from '../../scripts/prometheus.mjs';

/** The path of a program of Prometheus. */
export function prometheusProgram(name: 'prometheus' | 'promtool' | 'prometheus-redis-exporter'): string {
  const folder = prometheusFolder();
  if (folder === undefined) throw new Error(prometheusAdvice);
  return join(folder, name);
}
