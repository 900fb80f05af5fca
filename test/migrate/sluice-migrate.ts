import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { join } from 'node:path';
import { root } from '../../scripts/root.mjs';
import { spawn } from '../support/child.js';
import { environment } from '../support/environment.js';
import { buildPackages } from '../support/program.js';

export interface MigrateRun {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const bin = join(root, 'packages/migrate/bin/sluice-migrate.js');

/** Runs the built command as users do, without a terminal. @param cwd the folder of the application */
export async function sluiceMigrate(args: readonly string[], cwd = root): Promise<MigrateRun> {
  await buildPackages();
  const child = spawn(process.execPath, [bin, ...args], { cwd, env: environment() });
  child.stdin.end();
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { code: code as number, stdout, stderr };
}

/** The document that the command prints with `--json`. */
export function documentOf({ stdout }: MigrateRun): Record<string, unknown> {
  return JSON.parse(stdout) as Record<string, unknown>;
}
