import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { root } from '../../scripts/root.mjs';
import { publishedPackages } from '../../scripts/workspace.mjs';

interface Manifest {
  readonly name: string;
  readonly typesVersions?: { readonly '*': Readonly<Record<string, readonly string[]>> };
  readonly exports?: Readonly<Record<string, { readonly import?: { readonly types?: string } } | string>>;
}

/** The declarations of each entry of each package. */
const entries = publishedPackages().flatMap((folder) => {
  const { name, exports = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
  return Object.entries(exports).flatMap(([path, conditions]) => {
    const types = typeof conditions === 'string' ? undefined : conditions.import?.types;
    return types === undefined ? [] : [[join(name, path), relative(root, join(folder, types))] as const];
  });
});

/** The folder with the declarations of each package that has exports. */
const packages = [...new Set(entries.map(([, types]) => dirname(types)))].map(
  (folder) => [relative('packages', folder).split('/')[0]!, join(root, folder)] as const,
);

/** Without comments, and without the lists of names, which have a snapshot of their own. */
function typesIn(declarations: string): string {
  return declarations
    .replaceAll(/\/\*\*[^]*?\*\//g, '')
    .split('\n')
    .filter((line) => line.trim() !== '' && !/^(\/\/|import |export {)/.test(line))
    .join('\n');
}

describe('The exports', () => {
  // A name that appears is a feature, and one that disappears a new major version: `npm test -- test/packaging/exports -u`.
  it.each(entries)('of %s are those of the last version', (_entry, types) => {
    const text = readFileSync(join(root, types), 'utf8');
    const own = [...text.matchAll(/^export (?:type )?{([^}]*)}/gm)].flatMap(([, list]) => list!.split(','));
    const names = own.map((each) =>
      each
        .trim()
        .replace(/^type /, '')
        .replace(/^.* as /, ''),
    );
    const others = [...text.matchAll(/^export \* from "([^"]+)"/gm)].map(([, from]) => `everything of ${from}`);

    expect([...new Set([...names.filter((name) => name !== ''), ...others])].toSorted().join('\n')).toMatchSnapshot(
      'names',
    );
  });

  // The types that they need are here too. A change of one can break a caller: docs/reference/versions.md.
  it.each(packages)('of %s have the types of the last version', (_name, folder) => {
    // What `sluice` reads of core is no promise.
    const files = readdirSync(folder).filter((name) => name.endsWith('.d.ts') && name !== 'operations.d.ts');
    const texts = files.toSorted().map((name) => `// ${name}\n${typesIn(readFileSync(join(folder, name), 'utf8'))}`);

    expect(texts.join('\n')).toMatchSnapshot('types');
  });

  it.each(publishedPackages())(
    'are found by the older resolution of TypeScript, too, such as those of %s',
    (folder) => {
      const { exports = {}, typesVersions } = JSON.parse(
        readFileSync(join(folder, 'package.json'), 'utf8'),
      ) as Manifest;
      const paths = Object.keys(exports).filter((path) => path !== '.' && path !== './package.json');

      expect(Object.keys(typesVersions?.['*'] ?? {}).map((path) => `./${path}`)).toEqual(paths);
    },
  );

  it('are those of 33 entries', () => {
    expect(entries.map(([entry]) => entry)).toHaveLength(33);
  });
});
