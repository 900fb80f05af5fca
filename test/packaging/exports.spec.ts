import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { root } from '../../scripts/root.mjs';
import { publishedPackages } from '../../scripts/workspace.mjs';

interface Manifest {
  readonly name: string;
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

    expect([...new Set([...names.filter((name) => name !== ''), ...others])].toSorted().join('\n')).toMatchSnapshot();
  });

  it('are those of 14 entries', () => {
    expect(entries.map(([entry]) => entry)).toHaveLength(14);
  });
});
