import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { rolldown } from 'rolldown';
import { dts } from 'rolldown-plugin-dts';
import { SHARED, withDirectImports } from './direct-imports.mjs';
import { root } from './root.mjs';

/** @typedef {Map<string, string>} Files text by name */
/** @typedef {import('rolldown').OutputOptions} OutputOptions */

/** @type {OutputOptions} */
const output = {
  entryFileNames: '[name].js',
  chunkFileNames: '[name].js',
  // The declarations have the comments.
  comments: false,
  // Stack traces stay readable without source maps: every name is that of the source.
  minify: false,
  minifyInternalExports: false,
  exports: 'named',
  esModule: true,
  strict: true,
  // Jest has no import() in CommonJS.
  dynamicImportInCjs: false,
};

/**
 * Bundles the modules that the compiler wrote: one file for each entry point in `exports` of package.json.
 *
 * @param {string} folder of a package
 */
export async function bundle(folder) {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const names = Object.keys(manifest.exports)
    .filter((path) => path !== './package.json' && path !== SHARED)
    .map((path) => (path === '.' ? 'index' : path.slice('./'.length)));
  if (names.length === 0) return bundleProgram(folder);
  // A library with a program: its start is no entry for others.
  if (manifest.bin) names.push('program');
  const types = await typesOf(folder, names);
  const commonJs = await modulesOf(folder, names, 'cjs');
  const esModules = await modulesOf(folder, names, 'esm');
  // The package says that its files are ES modules; the CommonJS half has to say otherwise for itself.
  const marker = new Map([['package.json', '{ "type": "commonjs" }\n']]);
  const direct = [...esModules].map(([name, code]) => /** @type {const} */ ([name, withDirectImports(code, manifest)]));
  write(join(folder, 'dist', 'esm'), new Map([...direct, ...types]));
  write(join(folder, 'dist', 'cjs'), new Map([...commonJs, ...types, ...marker]));
}

/**
 * A program: a file for its start, one for its commands, and for each part that they load later.
 *
 * @param {string} folder
 */
async function bundleProgram(folder) {
  const modules = join(folder, 'dist', 'modules');
  const input = { main: join(modules, 'main.js'), program: join(modules, 'program.js') };
  const build = await rolldown({ cwd: root, input, external: isPackage, platform: 'node' });
  const { output: chunks } = await build.generate({ ...output, exports: 'auto', format: 'esm' });
  await build.close();
  write(join(folder, 'dist', 'esm'), textsOf(chunks));
}

/**
 * @param {string} folder
 * @param {readonly string[]} names
 * @param {'cjs' | 'esm'} format
 */
async function modulesOf(folder, names, format) {
  const input = inputs(folder, names, '.js');
  const build = await rolldown({ cwd: root, input, external: isPackage, platform: 'node' });
  // What entry points share is in one file, because it has state: of core all that every program runs, because functions of
  // several files call each other through getters. Redis with its Lua texts, and what only stores of several processes need, are
  // loaded by those that import them, and tables of keys by tools.
  const minShareCount = ['core', 'http'].includes(basename(folder)) ? 1 : 2;
  const own =
    /[/]modules[/](?!(.*[/])?((operations|overrides|own-store|fair|wishes|lists|scripts|internal|with-lease|between-processes)[/]|index[.]js$|((state|beside|list|quota)-keys|web-gate|emitters?|[a-z-]+-emitter)[.]js$))/;
  const codeSplitting = names.length > 1 && { groups: [{ name: 'shared', test: own, minShareCount }] };
  const { output: chunks } = await build.generate({ ...output, codeSplitting, format });
  await build.close();
  return new Map(
    [...textsOf(chunks)].map(([name, code]) => [name, asciiOf(plainExports(withPureCalls(withoutFileNames(code))))]),
  );
}

/** The bundler names the file of each module: 12 kB that every process reads. @param {string} code */
function withoutFileNames(code) {
  return code.replace(/^\/\/ packages\/.*\n/gm, '');
}

/** A value of the process that a program does not use is not needed: bundlers may drop the call. @param {string} code */
function withPureCalls(code) {
  return code.replaceAll(/ = (processWide|companion)\(/g, ' = /* @__PURE__ */ $1(');
}

/**
 * Assigns what a CommonJS file exports, when all of it is there. The bundler writes a getter for each name: 5 times the bytes,
 * and a call for each use of another file. No export of ours changes.
 *
 * @param {string} code
 */
function plainExports(code) {
  const getter =
    /Object\.defineProperty\(exports, "(\w+)", \{\s*enumerable: true,\s*get: function \(\) \{\s*return ([\w$]+);\s*\}\s*\}\);/g;
  return code.replace(getter, 'exports.$1 = $2;');
}

/** One letter outside ASCII makes V8 store the whole file in two bytes a letter. @param {string} code */
function asciiOf(code) {
  const escaped = (/** @type {string} */ unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return code.replace(/[\u0080-\uffff]/g, escaped);
}

/** @param {string} folder @param {readonly string[]} names @returns {Promise<Files>} */
async function typesOf(folder, names) {
  const build = await rolldown({
    cwd: root,
    input: inputs(folder, names, '.d.ts'),
    external: isPackage,
    plugins: [dts({ dtsInput: true, emitDtsOnly: true, tsconfig: false })],
  });
  const { output: chunks } = await build.generate({
    codeSplitting: { groups: [{ name: 'shared.d', minShareCount: 2 }] },
    entryFileNames: '[name].ts',
    chunkFileNames: '[name].ts',
    minifyInternalExports: false,
  });
  await build.close();
  return textsOf(chunks);
}

/** @param {readonly import('rolldown').RolldownOutput['output'][number][]} chunks @returns {Files} */
function textsOf(chunks) {
  return new Map(chunks.flatMap((chunk) => (chunk.type === 'chunk' ? [[chunk.fileName, chunk.code]] : [])));
}

/**
 * The file of each entry point: `index.js` of the package, or of the folder that the entry point names.
 *
 * @param {string} folder
 * @param {readonly string[]} names
 * @param {string} extension
 */
function inputs(folder, names, extension) {
  const modules = join(folder, 'dist', 'modules');
  const fileOf = (/** @type {string} */ name) => join(modules, name === 'index' ? '' : name, `index${extension}`);
  return Object.fromEntries(names.map((name) => [name, fileOf(name)]));
}

/** @param {string} id of a module */
function isPackage(id) {
  return !/^[./]|^[A-Z]:/i.test(id);
}

/** Writes what has changed, because programs may be loading these files. @param {string} folder @param {Files} files */
function write(folder, files) {
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder)) if (!files.has(name)) rmSync(join(folder, name), { recursive: true });
  for (const [name, text] of files) {
    const path = join(folder, name);
    if (!existsSync(path) || readFileSync(path, 'utf8') !== text) writeFileSync(path, text);
  }
}
