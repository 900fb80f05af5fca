import { spawnSync } from 'node:child_process';
import { prometheusProgram } from './program.js';

export interface PromtoolReport {
  readonly code: number | null;
  /** All that it has printed. */
  readonly text: string;
}

/** Runs one of Prometheus' own checks. */
export function promtool(args: readonly string[], input = ''): PromtoolReport {
  const { status, stdout, stderr } = spawnSync(prometheusProgram('promtool'), args, { input, encoding: 'utf8' });
  return { code: status, text: stdout + stderr };
}
