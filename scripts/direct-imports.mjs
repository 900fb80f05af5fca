import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './root.mjs';

/**
 * Entries that pass on names of other files. Each file that a process loads takes it 2 ms, so a package imports such a name
 * from the file that has it: the subpath `./shared` of its package, which has no types and is for these imports alone.
 */
const ENTRIES = [
  '@sluice/core',
  '@sluice/core/internal',
  '@sluice/http',
  '@sluice/http/adapter',
  '@sluice/http/app',
  '@sluice/http/internal',
];

/** The subpath of what the entries of a package share. */
export const SHARED = './shared';

/** @typedef {{ from: string, name: string }} Place where a name is: the specifier of a module, and its name there */
/** @typedef {{ imports: Map<string, Place>, exports: Map<string, string> }} Names by the names in a file */

/**
 * Replaces imports from entries that pass names on. The packages below are built.
 *
 * @param {string} code of an ES module, as the bundler writes it
 * @param {{ name: string, dependencies?: object }} manifest of its package
 */
export function withDirectImports(code, manifest) {
  const direct = replaced(code);
  for (const [, name = ''] of direct.matchAll(/ from "(@sluice\/\w+)\/shared"/g)) {
    // A strict package manager would not find it.
    if (!(name in { ...manifest.dependencies }) && name !== manifest.name)
      throw new Error(`${manifest.name} imports from ${name}, and has no dependency on it`);
  }
  return direct;
}

/** @param {string} code */
function replaced(code) {
  const own = namesIn(code);
  return code
    .replace(/^import \{([^}]*)\} from "(@sluice\/[^"]+)";$/gm, (whole, list, from) =>
      ENTRIES.includes(from) ? statements('import', placesOf(pairsIn(list), from)) : whole,
    )
    .replace(/^export \* from "(@sluice\/[^"]+)";?$/gm, (whole, from) => {
      if (!ENTRIES.includes(from)) return whole;
      const names = [...namesOf(from).exports.keys()].filter((name) => name !== 'default' && !own.exports.has(name));
      return statements('export', placesOf(new Map(names.map((name) => [name, name])), from));
    });
}

/** @param {Map<string, string>} pairs @param {string} from @returns {Map<string, Place>} */
function placesOf(pairs, from) {
  return new Map([...pairs].map(([local, name]) => [local, placeOf({ from, name })]));
}

/** The place of a name that an entry may pass on. @param {Place} place @returns {Place} */
function placeOf(place) {
  if (!ENTRIES.includes(place.from)) return place;
  const { imports, exports } = namesOf(place.from);
  const next = imports.get(exports.get(place.name) ?? '');
  if (next === undefined) return place;
  if (!next.from.startsWith('.')) return placeOf(next);
  const [scope, folder] = place.from.split('/');
  const file = /^\.\/([\w-]+)\.js$/.exec(next.from)?.[1] ?? '';
  const sibling = { from: `${scope}/${folder}/${file}`, name: next.name };
  return sibling.from.endsWith(SHARED.slice(1)) ? sibling : ENTRIES.includes(sibling.from) ? placeOf(sibling) : place;
}

/** @param {string} entry @returns {Names} */
function namesOf(entry) {
  const [, folder = '', name = 'index'] = entry.split('/');
  return namesIn(readFileSync(join(root, 'packages', folder, 'dist', 'esm', `${name}.js`), 'utf8'));
}

/** @param {string} code @returns {Names} */
function namesIn(code) {
  const imports = [...code.matchAll(/^import \{([^}]*)\} from "([^"]+)";$/gm)].flatMap(([, list = '', from = '']) =>
    [...pairsIn(list)].map(([local, name]) => /** @type {const} */ ([local, { from, name }])),
  );
  const exports = [...code.matchAll(/^export \{([^}]*)\}(?: from "([^"]+)")?;$/gm)];
  const passedOn = exports.filter(([, , from]) => from !== undefined);
  return {
    imports: new Map([
      ...imports,
      ...passedOn.flatMap(([, list = '', from = '']) =>
        [...pairsIn(list)].map(([exported, name]) => /** @type {const} */ ([exported, { from, name }])),
      ),
    ]),
    exports: new Map([
      ...exports
        .filter(([, , from]) => from === undefined)
        .flatMap(([, list = '']) =>
          [...pairsIn(list)].map(([exported, local]) => /** @type {const} */ ([exported, local])),
        ),
      ...passedOn.flatMap(([, list = '']) =>
        [...pairsIn(list).keys()].map((name) => /** @type {const} */ ([name, name])),
      ),
    ]),
  };
}

/** What `a, b as c` names here, by the names there. @param {string} list @returns {Map<string, string>} */
function pairsIn(list) {
  const parts = list.split(',').map((part) => part.trim());
  return new Map(
    parts
      .filter((part) => part !== '')
      .map((part) => {
        const [there = '', here = there] = part.split(' as ');
        return /** @type {const} */ ([here, there]);
      }),
  );
}

/** @param {'import' | 'export'} keyword @param {Map<string, Place>} places */
function statements(keyword, places) {
  const modules = [...new Set([...places.values()].map(({ from }) => from))];
  return modules
    .map((from) => {
      const each = [...places].filter(([, place]) => place.from === from);
      const list = each.map(([here, { name }]) => (here === name ? name : `${name} as ${here}`));
      return `${keyword} { ${list.join(', ')} } from "${from}";`;
    })
    .join('\n');
}
