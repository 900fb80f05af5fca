import { execFileSync } from 'node:child_process';
import { root } from '../../scripts/root.mjs';
import { page } from './pages.js';

describe('The page about conformance', () => {
  it('lists what is tested under a number, and all of that', () => {
    const listed = [...page('docs/reference/conformance.md').text.matchAll(/^\| (C\d+)/gm)].map(
      ([, number]) => number!,
    );

    expect(listed).toEqual(Array.from({ length: 52 }, (_each, index) => `C${index + 1}`));
    expect(listed.filter((number) => !tested().has(number))).toEqual([]);
  });
});

/** The numbers that names of tests begin with. */
function tested(): ReadonlySet<string> {
  const args = [
    '-rhoE',
    '--include=*.spec.ts',
    '--exclude-dir=node_modules',
    String.raw`'(C[0-9]+ )+`,
    'packages',
    'test',
  ];
  const names = execFileSync('grep', args, { cwd: root, encoding: 'utf8' });
  return new Set(names.match(/C\d+/g));
}
