import { join } from 'node:path';

// node bundle.mjs BUNDLER ENTRY FOLDER FORMAT: bundles the program into `app.mjs` or `app.cjs` of the folder, with the
// settings that docs/guide/bundlers.md gives. A child process runs it, because bundlers do not work in the loader of jest.

/** @typedef {'esm' | 'cjs'} Format */

/** What esbuild needs for CommonJS packages, such as ioredis, in an ES module. */
const REQUIRE = `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);`;

/** @type {Readonly<Record<string, (entry: string, folder: string, format: Format) => Promise<unknown>>>} */
const bundlers = {
  async esbuild(entry, folder, format) {
    const { build } = await import('esbuild');
    await build({
      entryPoints: [entry],
      outfile: join(folder, fileOf(format)),
      bundle: true,
      platform: 'node',
      format,
      ...(format === 'esm' && { banner: { js: REQUIRE } }),
      logLevel: 'error',
    });
  },
  async tsup(entry, folder, format) {
    const { build } = await import('tsup');
    await build({
      entry: { app: entry },
      outDir: folder,
      format,
      outExtension: () => ({ js: format === 'esm' ? '.mjs' : '.cjs' }),
      noExternal: [/./],
      platform: 'node',
      config: false,
      clean: false,
      silent: true,
      ...(format === 'esm' && { banner: { js: REQUIRE } }),
    });
  },
  async rollup(entry, folder, format) {
    const [{ rollup }, { default: resolve }, { default: commonjs }, { default: json }] = await Promise.all([
      import('rollup'),
      import('@rollup/plugin-node-resolve'),
      import('@rollup/plugin-commonjs'),
      import('@rollup/plugin-json'),
    ]);
    const plugins = [resolve({ preferBuiltins: true }), commonjs(), json()];
    const build = await rollup({ input: entry, plugins, onLog: () => undefined });
    await build.write({ file: join(folder, fileOf(format)), format, inlineDynamicImports: true });
  },
  async rolldown(entry, folder, format) {
    const { rolldown } = await import('rolldown');
    const build = await rolldown({ input: entry, platform: 'node' });
    await build.write({ file: join(folder, fileOf(format)), format });
  },
  async webpack(entry, folder, format) {
    const { default: webpack } = await import('webpack');
    const isModule = format === 'esm';
    const compiler = webpack({
      entry,
      target: 'node20',
      mode: 'production',
      output: {
        path: folder,
        filename: fileOf(format),
        ...(isModule && { module: true, library: { type: 'module' }, chunkFormat: 'module' }),
      },
      ...(isModule && { experiments: { outputModule: true } }),
    });
    await new Promise((done, fail) =>
      compiler?.run((error, stats) => {
        if (error ?? stats?.hasErrors()) fail(error ?? new Error(stats?.toString('errors-only')));
        else done(undefined);
      }),
    );
  },
  async vite(entry, folder, format) {
    const { build } = await import('vite');
    await build({
      configFile: false,
      logLevel: 'error',
      root: folder,
      ssr: { noExternal: true },
      build: {
        ssr: entry,
        outDir: folder,
        emptyOutDir: false,
        rollupOptions: { output: { format, entryFileNames: fileOf(format) } },
      },
    });
  },
  async ncc(entry, folder) {
    const { createRequire } = await import('node:module');
    const { writeFile } = await import('node:fs/promises');
    const ncc = createRequire(import.meta.url)('@vercel/ncc');
    const { code, assets } = await ncc(entry, { cache: false, quiet: true });
    const isModule = entry.endsWith('.mjs');
    await writeFile(join(folder, isModule ? 'app.mjs' : 'app.cjs'), code);
    for (const [name, { source }] of Object.entries(assets)) {
      if (!name.includes('/')) await writeFile(join(folder, name), source);
    }
  },
};

/** @param {Format} format */
function fileOf(format) {
  return format === 'esm' ? 'app.mjs' : 'app.cjs';
}

const [name = '', entry = '', folder = '', format = 'esm'] = process.argv.slice(2);
await bundlers[name]?.(entry, folder, /** @type {Format} */ (format));
