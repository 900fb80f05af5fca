import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/root.mjs';

/** The product files that are no algorithm. */
const files = readdirSync(join(root, 'packages'), { recursive: true, encoding: 'utf8' })
  .map((file) => join('packages', file))
  .filter((file) => /^packages[/]\w+[/]src[/].*[.]ts$/.test(file) && !file.endsWith('.spec.ts'))
  .filter((file) => !/[/]src[/](algorithms|testing)[/]|[/](scripts|page)[.]ts$/.test(file));

function linesWith(pattern: RegExp): readonly string[] {
  return files.flatMap((file) =>
    readFileSync(join(root, file), 'utf8')
      .split('\n')
      .flatMap((line, index) => (pattern.test(line) ? [`${file}:${index + 1} ${line.trim()}`] : [])),
  );
}

describe('The rooms of the packages', () => {
  it('are read by these tests', () => {
    expect(files.length).toBeGreaterThan(300);
    expect(linesWith(/policy[.]algorithm[.]twin\b/)).not.toEqual([]);
  });

  it.each([
    ['which Lua twin an algorithm has', /[.]twin\s*[!=]==|\btwin\s*[!=]==/],
    ['of which code an algorithm is', /algorithm[.]code\s*[!=]==/],
    ['what kind a policy is of', /\bpolicy[.]kind\b|[{,] kind\b[^}]*\}: Policy\b/],
    ['in which form a window is stored', /\bisRing\b|\bkeepsLog\b/],
    ['whether the limit of a bucket moves', /policy[.]moves\b/],
  ])('do not ask %s: an algorithm says what they want to know', (_what, pattern) => {
    expect(linesWith(pattern)).toEqual([]);
  });
});
