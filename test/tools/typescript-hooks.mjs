import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { transform } from '@swc/core';

/** @type {import('@swc/core').Options} */
const options = {
  jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
  module: { type: 'es6' },
  sourceMaps: 'inline',
};

/**
 * Sources name the file that will be there after the build.
 *
 * @type {import('node:module').ResolveHook}
 */
export function resolve(specifier, context, next) {
  // Sources go with sources. Those that contestants of a benchmark are to load take the place of the build.
  const own = context.parentURL && /^file:\/\/(.*)\/packages\/\w+\/src\/.*\.ts$/.exec(context.parentURL)?.[1];
  const sources = own || process.env['SLUICE_SOURCES'];
  const [, name, entry = 'index'] = (sources && /^@sluice\/([\w-]+)(?:\/([\w-]+))?$/.exec(specifier)) || [];
  if (name) {
    const file = join(String(sources), 'packages', name, 'src', entry === 'index' ? '' : entry, 'index.ts');
    if (existsSync(file)) return { url: pathToFileURL(file).href, format: 'module', shortCircuit: true };
  }
  if (/^\.{1,2}\/.+\.js$/.test(specifier) && context.parentURL) {
    const source = new URL(specifier.replace(/\.js$/, '.ts'), context.parentURL);
    if (existsSync(source)) return { url: source.href, format: 'module', shortCircuit: true };
  }
  return next(specifier, context);
}

/** @type {import('node:module').LoadHook} */
export async function load(url, context, next) {
  if (!url.startsWith('file:') || !url.endsWith('.ts')) return next(url, context);
  const filename = fileURLToPath(url);
  const { code } = await transform(await planted(filename, await readFile(filename, 'utf8')), { ...options, filename });
  return { format: 'module', source: code, shortCircuit: true };
}

/**
 * A source with the faults that this process is to have. Those of Lua are in the module that the Lua is embedded in.
 *
 * @param {string} filename
 * @param {string} source
 */
async function planted(filename, source) {
  const edits = process.env['SLUICE_PLANTED'];
  if (edits === undefined) return source;
  const { plant } = await import('./plant.mjs');
  return plant(filename, source, JSON.parse(edits));
}
