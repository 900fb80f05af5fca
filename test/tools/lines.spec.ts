import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { excessesOf, roomsOf } from '../../scripts/lines.mjs';
import { root } from '../../scripts/root.mjs';
import { publishedPackages } from '../../scripts/workspace.mjs';

const texts: Readonly<Record<string, string>> = {
  'packages/core/src/index.ts': 'one\n',
  'packages/core/src/stores/store.ts': 'one\ntwo\n',
  'packages/core/src/stores/memory/table.ts': 'one\ntwo\nthree\n',
  'packages/core/src/stores/memory/table.lua': 'one\ntwo\n',
};
const budgets = {
  'packages/core/src': { typescript: 1, lua: 0 },
  'packages/core/src/stores': { typescript: 2, lua: 0 },
  'packages/core/src/stores/memory': { typescript: 3, lua: 2 },
};

function rooms(more: Readonly<Record<string, string>> = {}) {
  const all = { ...texts, ...more };
  return roomsOf(Object.keys(all), (file) => all[file]!, budgets);
}

describe('roomsOf', () => {
  it('counts a file in the deepest room that it is in, TypeScript and Lua apart', () => {
    expect(rooms().map(({ lines }) => lines)).toEqual([
      { typescript: 1, lua: 0 },
      { typescript: 2, lua: 0 },
      { typescript: 3, lua: 2 },
    ]);
  });

  it.each([
    'packages/core/src/stores/store.spec.ts',
    'packages/testing/src/store-suite.ts',
    'packages/core/src/scripts/scripts.ts',
    'packages/core/src/stores/notes.md',
  ])('does not count %s', (file) => {
    expect(rooms({ [file]: 'one\n' })).toEqual(rooms());
  });
});

describe('excessesOf', () => {
  it('finds nothing in rooms that are as large as their budgets', () => {
    expect(excessesOf(rooms())).toEqual([]);
  });

  it.each([
    ['packages/core/src/stores/wires.ts', 'packages/core/src/stores has 3 lines of typescript, 1 above its budget'],
    ['packages/core/src/stores/list.lua', 'packages/core/src/stores has 1 lines of lua, 1 above its budget'],
    ['packages/redis/src/index.ts', 'packages/redis has no budget: add it to scripts/lines.json'],
  ])('names the room that %s makes too large', (file, words) => {
    expect(excessesOf(rooms({ [file]: 'one\n' }))).toEqual([expect.stringContaining(words)]);
  });
});

describe('scripts/lines.json', () => {
  it('has a budget for the room of each package', () => {
    const listed = Object.keys(JSON.parse(readFileSync(join(root, 'scripts', 'lines.json'), 'utf8')) as object);
    const names = publishedPackages().map((folder) => basename(folder));
    const folders = names.filter((name) => name !== 'testing').map((name) => `packages/${name}/src`);

    expect(folders.filter((folder) => !listed.includes(folder))).toEqual([]);
  });
});
