// monitoring/ copies the dashboard and alerts of this package into a folder. A path enters. It imports invocation and
// failure.
import { cp, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ExitCode } from '../failure/exit-code.js';
import { usage } from '../failure/failure.js';
import type { Invocation } from '../invocation/invocation.js';

interface MonitoringOptions {
  readonly out: string;
}

/** Copies what this version of Sluice measures: the dashboard, the alerts and their unit tests. */
export async function writeMonitoring({ options, terminal }: Invocation<MonitoringOptions>): Promise<ExitCode> {
  const { out } = options;
  // From dist/esm of the package.
  const shipped = fileURLToPath(new URL('../../monitoring/', import.meta.url));
  const names = await readdir(shipped);
  try {
    await mkdir(out, { recursive: true });
    for (const name of names) await cp(join(shipped, name), join(out, name));
  } catch (error) {
    throw usage(`--out ${out}: ${(error as Error).message}`);
  }
  const files = names.map((name) => join(out, name));
  if (terminal.isJson) terminal.document({ files });
  else for (const file of files) terminal.print(file);
  return ExitCode.fine;
}
