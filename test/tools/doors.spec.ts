import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { root } from '../../scripts/root.mjs';

const packages = join(root, 'packages');
const sources = readdirSync(packages).map((name) => join(packages, name, 'src'));

/** The files of TypeScript by their folder. Specs, and what a build has written, open nothing. */
function filesByFolder(): Map<string, string[]> {
  const folders = new Map<string, string[]>();
  for (const source of sources) {
    for (const path of readdirSync(source, { recursive: true, encoding: 'utf8' })) {
      if (!path.endsWith('.ts') || path.endsWith('.spec.ts')) continue;
      const file = join(source, path);
      const folder = dirname(file);
      folders.set(folder, [...(folders.get(folder) ?? []), file]);
    }
  }
  return folders;
}

/** The sentences of the comment that a file begins with. */
function openingOf(text: string): readonly string[] {
  const lines = /^(?:\/\/ .*\n)+/.exec(text)?.[0] ?? '';
  const words = lines
    .replaceAll(/^\/\/ /gm, '')
    .replaceAll('\n', ' ')
    .trim();
  return words.split(/(?<=[.!])\s+(?=[A-Z@])/).filter(Boolean);
}

/** What the comment of a folder begins with: its name, or that of its package. */
function namesOf(folder: string): readonly string[] {
  const isSource = basename(folder) === 'src';
  return isSource ? [`@sluice/${basename(dirname(folder))} `, 'These files '] : [`${basename(folder)}/ `];
}

describe('The first comment of a folder', () => {
  it.each([...filesByFolder()].map(([folder, files]) => [folder.slice(packages.length + 1), folder, files] as const))(
    'says in three sentences what %s is for, what enters, and what it imports',
    (_name, folder, files) => {
      const openings = files.map((file) => openingOf(readFileSync(file, 'utf8')));
      const doors = openings.filter(([first]) => namesOf(folder).some((name) => first?.startsWith(name)));

      expect(doors).toHaveLength(1);
      expect(doors[0]).toHaveLength(3);
      expect(doors[0]!.join(' ')).toMatch(/\bimports?\b/);
    },
  );
});
