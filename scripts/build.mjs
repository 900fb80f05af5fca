import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isBuilt, setBuilt } from './build-stamp.mjs';
import { install } from './install.mjs';
import { isMain, root } from './root.mjs';
import { runTool } from './run.mjs';
import { publishedPackages, workspacePackages } from './workspace.mjs';

/** Compiles and bundles every package unless it is built, and resolves with the exit code of the compiler. */
export async function build() {
  if (isBuilt()) return 0;
  const { buildPage } = await import('./dashboard-page.mjs');
  await buildPage();
  const code = await runTool('tsc', ['--build', 'tsconfig.build.json']);
  if (code !== 0) return code;

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
  setBuilt();
  return 0;
}

/** Pages with another name than the package that they go with. @type {Readonly<Record<string, string>>} */
const OWNERS = { 'alerts.md': 'prometheus', 'shedder.md': 'overload' };

/** What was tried stays in the repository. */
const EVIDENCE = ['conformance.md', 'faults.md', 'support.md'];

/**
 * The reference goes with the packages: a page that is named like a package with it, that of alerts with the package of
 * their rules, and the others with core, whose warnings and errors name them. Links to pages that a package lacks become text.
 */
function shipPages() {
  const from = join(root, 'docs', 'reference');
  const pages = readdirSync(from).filter((page) => !EVIDENCE.includes(page));
  const names = publishedPackages().map((folder) => basename(folder));
  for (const name of names) {
    const own = pages.filter((page) => ownerOf(page, names) === name);
    const to = join(root, 'packages', name, 'docs', 'reference');
    rmSync(to, { recursive: true, force: true });
    if (own.length > 0) mkdirSync(to, { recursive: true });
    for (const page of own) {
      const text = readFileSync(join(from, page), 'utf8');
      const isThere = (/** @type {string} */ link) => /^https?:|^#/.test(link) || own.includes(link.replace(/#.*/, ''));
      writeFileSync(
        join(to, page),
        text.replaceAll(/\[([^\]]+)\]\(([^)]+)\)/g, (whole, words, link) => (isThere(link) ? whole : words)),
      );
    }
  }
}

/** @param {string} page @param {readonly string[]} names */
function ownerOf(page, names) {
  const name = OWNERS[page] ?? page.replace(/\.md$/, '');
  return names.includes(name) ? name : 'core';
}

if (isMain(import.meta.url)) {
  await install();
  if (process.argv.includes('--clean')) {
    for (const folder of workspacePackages()) rmSync(join(folder, 'dist'), { recursive: true, force: true });
  }
  process.exitCode = await build();
}
