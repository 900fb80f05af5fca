import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { install } from './install.mjs';
import { isMain, root } from './root.mjs';
import { runTool } from './run.mjs';
import { publishedPackages, workspacePackages } from './workspace.mjs';

/** Compiles and bundles every package, and resolves with the exit code of the compiler. */
export async function build() {
  const { buildPage } = await import('./dashboard-page.mjs');
  await buildPage();
  const code = await runTool('tsc', ['--build']);
  if (code !== 0) return code;

  // Only an installed workspace has the bundler.
  const { bundle } = await import('./bundle.mjs');
  await Promise.all(publishedPackages().map(bundle));
  for (const name of ['cli', 'prometheus']) {
    cpSync(join(root, 'monitoring'), join(root, 'packages', name, 'monitoring'), { recursive: true });
  }
  shipPages();
  return 0;
}

/** The reference goes with the package, because warnings name its pages. */
function shipPages() {
  const folder = join(root, 'packages', 'core', 'docs', 'reference');
  rmSync(folder, { recursive: true, force: true });
  cpSync(join(root, 'docs', 'reference'), folder, { recursive: true });
}

if (isMain(import.meta.url)) {
  await install();
  if (process.argv.includes('--clean')) {
    for (const folder of workspacePackages()) rmSync(join(folder, 'dist'), { recursive: true, force: true });
  }
  process.exitCode = await build();
}
