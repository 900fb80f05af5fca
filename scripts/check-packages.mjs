import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from './build.mjs';
import { install } from './install.mjs';
import { checkTarball, packPackages } from './pack.mjs';

await install();
const code = await build();
if (code !== 0) process.exit(code);

const folder = mkdtempSync(join(tmpdir(), 'sluice-packages-'));
try {
  for (const tarball of await packPackages(folder)) process.exitCode ||= await checkTarball(tarball);
} finally {
  rmSync(folder, { recursive: true });
}
