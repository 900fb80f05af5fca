import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitepress';
import llms from 'vitepress-plugin-llms';
import { root } from '../../scripts/root.mjs';
import { anchorOf } from '../anchor.mjs';
import { keepTogether } from '../keep-together.mjs';
import { sourcePath } from '../page-path.mjs';
import { placePictures } from '../place-pictures.mjs';
import { searchDialogPlugin } from '../search-dialog.mjs';
import { searchSettings } from '../search-settings.mjs';
import { sidebar } from '../sidebar.mjs';
import { simulatorPlugin } from '../simulator/plugin.mjs';

const site = join(root, 'site');
/** The path of the site on its host: `/` or `/sluice/`. */
const base = process.env.SLUICE_SITE_BASE ?? '/';
/** Where the repository's files are: `https://github.com/owner/name/blob/main`. Without it no page has a link to its source. */
const sources = process.env.SLUICE_SITE_SOURCES;
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const description =
  'Exact rate limiting for Node: Express, Fastify, NestJS, Hono or no framework, in memory or in Redis.';
/** A gate that is half open. */
const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
  <rect width="32" height="32" rx="6" fill="#12507b"/>
  <path d="M8 6v20M24 6v20M8 16h16M8 11h16" stroke="#fff" stroke-width="4"/>
</svg>`;

/** One page for each entry point of a package. */
const api = readdirSync(join(site, 'pages', 'api'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md') && name !== 'index.md')
  .map((name) => name.slice(0, -'.md'.length))
  .toSorted()
  .map((name) => ({ text: `@sluice/${titleOf(name)}`, link: `/api/${name}` }));
const menu = [...sidebar(readFileSync(join(root, 'docs', 'README.md'), 'utf8')), { text: 'Exports', items: api }];
const listed = new Set(menu.flatMap(({ items }) => items.map(({ link }) => link)));

export default defineConfig({
  title: 'Sluice',
  description,
  lang: 'en',
  head: [['link', { rel: 'icon', href: `data:image/svg+xml,${encodeURIComponent(icon)}` }]],
  srcDir: 'pages',
  outDir: `dist${base}`,
  cacheDir: '../node_modules/.cache/vitepress',
  base,
  // The rest fail the build.
  ignoreDeadLinks: 'localhostLinks',
  lastUpdated: false,
  markdown: {
    anchor: { slugify: anchorOf },
    // Their contrast is enough for WCAG AA on the grounds of this theme.
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    config(markdown) {
      drawDiagrams(markdown);
      keepTogether(markdown);
      placePictures(markdown);
    },
  },
  transformPageData({ relativePath, frontmatter }) {
    const source = sourcePath(relativePath);
    if (sources === undefined || source === undefined) frontmatter.editLink = false;
    else frontmatter.editAt = `${sources.replace('/blob/', '/edit/')}/${source}`;
    // After a page that the menu does not list, VitePress would go on with the first page of the menu.
    if (!listed.has(`/${relativePath.replace(/(^|\/)index\.md$|\.md$/, '$1')}`)) frontmatter.next = false;
  },
  vite: {
    // The type of the last plugin is that of another version of Vite.
    plugins: [
      simulatorPlugin(),
      searchDialogPlugin(),
      /** @type {any} */ (llms({ description, ignoreFiles: ['api/**', 'decisions/0*'] })),
    ],
    // The largest chunk draws diagrams, and only the page with diagrams loads it.
    build: { chunkSizeWarningLimit: 1_500 },
  },
  themeConfig: {
    nav: [
      { text: 'All pages', link: '/pages' },
      { text: 'Playground', link: '/playground' },
      { text: 'Recipes', link: '/guide/recipes' },
      { text: 'Troubleshooting', link: '/guide/troubleshooting' },
      { text: `v${version}`, link: '/changes' },
    ],
    sidebar: menu,
    outline: [2, 3],
    // Sent to the browser as text.
    editLink: { pattern: ({ frontmatter }) => frontmatter.editAt, text: 'Edit this page' },
    footer: { message: `Sluice ${version}, MIT licence` },
    search: { provider: 'local', options: { miniSearch: searchSettings } },
  },
});

/** What a program imports. The file of `core/fair` is `fair-1.md`, because `core` has a type `Fair`. @param {string} page */
function titleOf(page) {
  return /^# (.+)$/m.exec(readFileSync(join(site, 'pages', 'api', `${page}.md`), 'utf8'))?.[1];
}

/** @param {import('vitepress').MarkdownRenderer} markdown */
function drawDiagrams({ renderer }) {
  const { fence } = renderer.rules;
  renderer.rules.fence = (...args) => {
    const [tokens, index] = args;
    const token = tokens[index];
    if (token?.info !== 'mermaid') return fence?.(...args) ?? '';
    return `<Diagram source="${encodeURIComponent(token.content)}" />`;
  };
}
