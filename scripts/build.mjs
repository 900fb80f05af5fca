import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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

/** The reference goes with the package, because warnings and errors name its pages. Links out of it become text. */
function shipPages() {
  const from = join(root, 'docs', 'reference');
  const to = join(root, 'packages', 'core', 'docs', 'reference');
  rmSync(to, { recursive: true, force: true });
  mkdirSync(to, { recursive: true });
  for (const name of readdirSync(from)) {
    const text = readFileSync(join(from, name), 'utf8');
    writeFileSync(join(to, name), text.replaceAll(/\[([^\]]+)\]\(\.\.\/[^)]+\)/g, '$1'));
  }
}

if (isMain(import.meta.url)) {
  await install();
  if (process.argv.includes('--clean')) {
    for (const folder of workspacePackages()) rmSync(join(folder, 'dist'), { recursive: true, force: true });
  }
  process.exitCode = await build();
}
