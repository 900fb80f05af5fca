import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from '../scripts/root.mjs';
import { homePage } from './home-page.mjs';
import { moveLinks } from './move-links.mjs';
import { pagePath, topPages } from './page-path.mjs';

/**
 * Writes the pages of the repository into a folder, each at its place on the site.
 *
 * @param {string} folder that is emptied first
 * @param {string} [sources] address of the repository's files
 */
export function collectPages(folder, sources) {
  rmSync(folder, { recursive: true, force: true });
  const below = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' }).map((name) => `docs/${name}`);
  for (const path of [...topPages, ...below]) {
    const from = join(root, path);
    const to = join(folder, pagePath(path) ?? path);
    if (statSync(from).isDirectory()) continue;
    mkdirSync(dirname(to), { recursive: true });
    if (path.endsWith('.md')) writeFileSync(to, moveLinks(readFileSync(from, 'utf8'), path, sources));
    else cpSync(from, to);
  }
  cpSync(join(root, 'site', 'playground.md'), join(folder, 'playground.md'));
  const home = join(folder, 'index.md');
  const readmeOf = (/** @type {string} */ name) => readFileSync(join(root, 'packages', name, 'README.md'), 'utf8');
  writeFileSync(home, homePage(readFileSync(home, 'utf8'), readmeOf));
}
