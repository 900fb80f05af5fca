import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What starts programs of specs, which load the built packages. */
const START = 'test/support/child.ts';

/**
 * Whether specs start programs: theirs are the imports of their files, and of the files that these import.
 *
 * @param {string} workspace
 * @param {string} spec a spec, or the folder of several
 */
export function startsPrograms(workspace, spec) {
  const seen = new Set(specsAt(workspace, spec));
  // A set also visits what is added meanwhile.
  for (const file of seen) for (const imported of importsOf(workspace, file)) seen.add(imported);
  return seen.has(START);
}

/** @param {string} workspace @param {string} spec */
function specsAt(workspace, spec) {
  if (spec.endsWith('.ts')) return [spec];
  const files = readdirSync(join(workspace, spec), { recursive: true, encoding: 'utf8' });
  return files.filter((file) => file.endsWith('.spec.ts')).map((file) => join(spec, file));
}

/** @param {string} workspace @param {string} file */
function importsOf(workspace, file) {
  const text = readFileSync(join(workspace, file), 'utf8');
  return [...text.matchAll(/from '(\.[^']+)\.js'/g)]
    .map(([, path = '']) => `${join(file, '..', path)}.ts`)
    .filter((path) => existsSync(join(workspace, path)));
}
