import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isBuilt, setBuilt } from './build-stamp.mjs';
import { install } from './install.mjs';
import { isMain, root } from './root.mjs';
import { runTool } from './run.mjs';
import { shipPages } from './ship-pages.mjs';
import { publishedPackages, workspacePackages } from './workspace.mjs';

/**
 * Compiles and bundles every package unless it is built, and resolves with the exit code of the compiler.
 *
 * @param {{ readonly despiteTypes?: boolean }} [options] whether to bundle what the compiler has written for code whose types are wrong
 */
export async function build({ despiteTypes = false } = {}) {
  if (isBuilt()) return 0;
  const { buildPage } = await import('./dashboard-page.mjs');
  await buildPage();
  const code = await runTool('tsc', ['--build', 'tsconfig.build.json']);
  if (code !== 0 && !despiteTypes) return code;

  // Only an installed workspace has the bundler.
  const { bundle } = await import('./bundle.mjs');
  // A package imports from the files of those below it.
  const below = ['core', 'http'].map((name) => join(root, 'packages', name));
  for (const folder of below) await bundle(folder);
  await Promise.all(
    publishedPackages()
      .filter((folder) => !below.includes(folder))
      .map(bundle),
  );
  for (const name of ['cli', 'prometheus']) {
    cpSync(join(root, 'monitoring'), join(root, 'packages', name, 'monitoring'), { recursive: true });
  }
  shipPages();
  if (code === 0) setBuilt();
  return code;
}

if (isMain(import.meta.url)) {
  await install();
  if (process.argv.includes('--clean')) {
    for (const folder of workspacePackages()) rmSync(join(folder, 'dist'), { recursive: true, force: true });
  }
  process.exitCode = await build({ despiteTypes: process.argv.includes('--despite-types') });
}
