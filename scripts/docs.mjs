import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { collectPages } from '../site/collect-pages.mjs';
import { foldReexports } from '../site/fold-reexports.mjs';
import { linkHeadings } from '../site/heading-links.mjs';
import { build } from './build.mjs';
import { chromium, chromiumAdvice } from './chromium.mjs';
import { install } from './install.mjs';
import { root } from './root.mjs';
import { run } from './run.mjs';

const site = join(root, 'site');
const pages = join(site, 'pages');
const base = process.env['SLUICE_SITE_BASE'] ?? '/';
/** Links out of the site, and the address of an example. */
const elsewhere = ['--skip', '^https?://(?!localhost:\\d+/)', '--skip', '^http://localhost:3000/'];

/** @type {Record<string, () => number | Promise<number>>} */
const steps = {
  // The pages of exports are made of the built declarations.
  packages: () => build(),
  pages: () => {
    collectPages(pages, process.env['SLUICE_SITE_SOURCES']);
    return 0;
  },
  exports: async () => {
    const code = await tool('typedoc');
    for (const name of readdirSync(join(pages, 'api'), { recursive: true, encoding: 'utf8' })) {
      if (!name.endsWith('.md')) continue;
      const path = join(pages, 'api', name);
      writeFileSync(path, linkHeadings(foldReexports(readFileSync(path, 'utf8'))));
    }
    return code;
  },
  site: () => tool('vitepress', 'build', '.'),
  links: () =>
    tool(
      'linkinator',
      `.${base}`,
      '--server-root',
      'dist',
      '--recurse',
      '--check-fragments',
      '--verbosity',
      'error',
      ...elsewhere,
    ),
  ...(process.argv.includes('--check') && { browser: () => checkInBrowser() }),
};

await install();
for (const [name, step] of Object.entries(steps)) {
  if ((await step()) === 0) continue;
  console.error(`npm run docs failed: ${name}.`);
  process.exit(1);
}
console.log('The site is in site/dist. Serve it with: npx vitepress preview site');

/** @param {string} name @param {...string} args */
function tool(name, ...args) {
  return run(join(site, 'node_modules', '.bin', name), args, { cwd: site, shell: process.platform === 'win32' });
}

function checkInBrowser() {
  const browser = chromium();
  if (!browser) console.error(chromiumAdvice);
  const jest = join(root, 'node_modules', 'jest', 'bin', 'jest.js');
  // Half of the pages in one browser, half in another.
  return run(
    process.execPath,
    [jest, '-w', '2', 'test/site/built-site', '--testPathIgnorePatterns', '/node_modules/'],
    {
      env: { ...process.env, ...(browser && { SLUICE_CHROMIUM: browser }) },
    },
  );
}
