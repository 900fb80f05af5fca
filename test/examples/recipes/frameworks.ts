import { join } from 'node:path';

/** An application of a framework, with a recipe as it is. */
export interface Framework {
  readonly name: string;
  readonly recipe: string;
  /** Where the recipe goes. */
  readonly file: string;
  /** Packages with their versions. */
  readonly packages: readonly string[];
  /** The other files of the application. */
  readonly files: Readonly<Record<string, string>>;
  /** The program in `node_modules` that builds it, with arguments. */
  readonly build: readonly string[];
  /** The program in its folder that serves it, with arguments. Port and host are in the environment. */
  readonly start: (folder: string) => readonly string[];
  readonly path: string;
  /** The folder with what a browser loads. */
  readonly browser: string;
}

const ROOT = `import { Outlet } from 'react-router';
export default function Root() { return <html><body><Outlet /></body></html>; }`;

export const frameworks: readonly Framework[] = [
  {
    name: 'Next.js',
    recipe: 'nextjs.ts',
    file: 'app/items/route.ts',
    packages: [
      'next@16.4.6',
      'ioredis@6.0.0',
      'react@19.3.1',
      'react-dom@19.3.1',
      'typescript@7.0.2',
      '@types/node@26.6.6',
      '@types/react@19.3.0',
    ],
    files: {
      'app/layout.jsx': `export default function Layout({ children }) { return <html><body>{children}</body></html>; }`,
      'app/page.jsx': `export default function Page() { return 'tea'; }`,
      // Handlers that read no header then run at build.
      'next.config.js': 'export default { cacheComponents: true, partialPrefetching: true };',
    },
    build: ['next/dist/bin/next', 'build'],
    start: (folder) => [join(folder, 'node_modules/next/dist/bin/next'), 'start', folder, '--hostname', '127.0.0.1'],
    path: '/items',
    browser: '.next/static',
  },
  {
    name: 'React Router',
    recipe: 'react-router.ts',
    file: 'app/limits.server.ts',
    packages: [
      '@react-router/dev@8.4.0',
      '@react-router/node@8.4.0',
      '@react-router/serve@8.4.0',
      'react-router@8.4.0',
      'isbot@5.2.3',
      'react@19.2.7',
      'react-dom@19.2.7',
      'vite@8.3.8',
    ],
    files: {
      'app/root.jsx': ROOT,
      'app/routes.js': `import { route } from '@react-router/dev/routes';
export default [route('products/:name', 'routes/products.jsx')];`,
      'app/routes/products.jsx': `import { limit } from '../limits.server';
export const middleware = [limit];
export const loader = () => 'tea';
export default function Product() { return 'tea'; }`,
      'vite.config.js': `import { reactRouter } from '@react-router/dev/vite';
export default { plugins: [reactRouter()] };`,
    },
    build: ['@react-router/dev/bin.cjs', 'build'],
    start: (folder) => [
      join(folder, 'node_modules/@react-router/serve/bin.cjs'),
      join(folder, 'build/server/index.js'),
    ],
    path: '/products/tea',
    browser: 'build/client',
  },
  {
    name: 'SvelteKit',
    recipe: 'sveltekit.ts',
    file: 'src/hooks.server.ts',
    packages: [
      '@sveltejs/kit@3.2.0',
      '@sveltejs/adapter-node@6.0.1',
      '@sveltejs/vite-plugin-svelte@7.3.1',
      'svelte@5.57.3',
      'vite@8.3.8',
    ],
    files: {
      'src/app.html': '<!doctype html><html><head>%sveltekit.head%</head><body>%sveltekit.body%</body></html>',
      'src/routes/+page.svelte': '<a href="/about">tea</a>',
      'src/routes/about/+page.svelte': '<p>about</p>',
      'src/routes/about/+page.js': 'export const prerender = true;',
      'vite.config.js': `import adapter from '@sveltejs/adapter-node';
import { sveltekit } from '@sveltejs/kit/vite';
export default { plugins: [sveltekit({ adapter: adapter() })] };`,
    },
    build: ['vite/bin/vite.js', 'build'],
    start: (folder) => [join(folder, 'build/index.js')],
    path: '/',
    browser: 'build/client',
  },
];
