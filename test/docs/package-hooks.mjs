import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { transform } from '@swc/core';

/** @type {Record<string, string>} */
let urls = {};

/** @type {import('@swc/core').Options} */
const options = {
  jsc: {
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true },
    target: 'es2022',
  },
  module: { type: 'es6' },
};

/** @param {Record<string, string>} files URLs by package name */
export function initialize(files) {
  urls = files;
}

/** @type {import('node:module').ResolveHook} */
export function resolve(specifier, context, next) {
  return next(urls[specifier] ?? specifier, context);
}

/**
 * Compiles programs for Nest with legacy decorators and without metadata of types.
 *
 * @type {import('node:module').LoadHook}
 */
export async function load(url, context, next) {
  const source = url.endsWith('.ts') ? await readFile(fileURLToPath(url), 'utf8') : '';
  if (!source.includes("'@nestjs/")) return next(url, context);
  const { code } = await transform(source, options);
  return { format: 'module', source: code, shortCircuit: true };
}
