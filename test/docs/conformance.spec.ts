import { execFileSync } from 'node:child_process';
import { root } from '../../scripts/root.mjs';
import { page } from './pages.js';

describe('docs/reference/conformance.md', () => {
  it('lists the statements that the adapter suite tests', () => {
    const listed = [...page('docs/reference/conformance.md').text.matchAll(/^\| (C\d+)/gm)].map(
      ([, number]) => number!,
    );

    expect(listed).toEqual(Array.from({ length: 53 }, (_each, index) => `C${index + 1}`));
    expect(listed.filter((number) => !tested().has(number))).toEqual([]);
  });
});

/** The numbers at the start of test names of the suite. */
function tested(): ReadonlySet<string> {
  const args = ['-rhoE', String.raw`'(C[0-9]+ )+`, 'test/adapters/suite'];
  const names = execFileSync('grep', args, { cwd: root, encoding: 'utf8' });
  return new Set(names.match(/C\d+/g));
}
