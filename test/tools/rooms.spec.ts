import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PACKAGES, ROOMS } from '../../.dependency-cruiser.mjs';
import { root } from '../../scripts/root.mjs';

const packages = join(root, 'packages');
const names = readdirSync(packages);

/** The rows that a package needs: its folders, and `.` for the files beside them. */
function foldersOf(name: string): readonly string[] {
  const entries = readdirSync(join(packages, name, 'src'), { withFileTypes: true });
  return [...entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name), '.'];
}

/** What a row names that no row above it has, so that arrows between two rows could run both ways. */
function namedTooEarly(rows: Readonly<Record<string, readonly string[]>>): readonly string[] {
  const order = Object.keys(rows);
  return Object.entries(rows).flatMap(([row, below], at) =>
    below.filter((name) => !order.slice(0, at).includes(name)).map((name) => `${row} -> ${name}`),
  );
}

describe('The layers that the linter enforces', () => {
  it('have a row in PACKAGES for each package, and no other row', () => {
    expect(Object.keys(PACKAGES).toSorted()).toEqual(names.toSorted());
  });

  it('let a package import only packages that have a row above it', () => {
    expect(namedTooEarly(PACKAGES)).toEqual([]);
  });

  it.each(names)('let @sluice/%s import by name exactly the packages of its package.json', (name) => {
    // The command line has the dashboard among its devDependencies: it imports types alone.
    const { dependencies, devDependencies } = JSON.parse(
      readFileSync(join(packages, name, 'package.json'), 'utf8'),
    ) as Record<string, Record<string, string>>;
    const needed = Object.keys({ ...dependencies, ...devDependencies })
      .filter((dependency) => dependency.startsWith('@sluice/'))
      .map((dependency) => dependency.slice('@sluice/'.length));

    expect([...(PACKAGES[name] ?? [])].toSorted()).toEqual(needed.toSorted());
  });

  it.each(names)('have a row in ROOMS for each folder of @sluice/%s, and for the files beside them', (name) => {
    const rooms = Object.keys(ROOMS[name] ?? {});
    const outer = rooms.filter((room) => !room.includes('/'));

    expect(outer.toSorted()).toEqual(foldersOf(name).toSorted());
    expect(rooms.filter((room) => !existsSync(join(packages, name, 'src', room)))).toEqual([]);
  });

  it.each(names)('let a folder of @sluice/%s import only folders that have a row above it', (name) => {
    expect(namedTooEarly(ROOMS[name] ?? {})).toEqual([]);
  });
});
