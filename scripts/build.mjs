import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { install } from './install.mjs';
import { isMain } from './root.mjs';
import { runTool } from './run.mjs';
import { publishedPackages, workspacePackages } from './workspace.mjs';

/** Compiles every package to ES modules and to CommonJS, and resolves with the exit code of the compiler. */
export async function build() {
  const code = await runTool('tsc', ['--build']);
  if (code === 0) publishedPackages().forEach(markCommonJs);
  return code;
}

/**
 * The package says that its files are ES modules; the CommonJS half has to say otherwise for itself.
 *
 * @param {string} folder
 */
function markCommonJs(folder) {
  const marker = join(folder, 'dist', 'cjs', 'package.json');
  if (existsSync(marker)) return;

  mkdirSync(join(folder, 'dist', 'cjs'), { recursive: true });
  writeFileSync(marker, '{ "type": "commonjs" }\n');
}

if (isMain(import.meta.url)) {
  await install();
  if (process.argv.includes('--clean')) {
    for (const folder of workspacePackages()) rmSync(join(folder, 'dist'), { recursive: true, force: true });
  }
  process.exitCode = await build();
}
