import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/root.mjs';

/** The product files that are no algorithm. */
const files = readdirSync(join(root, 'packages'), { recursive: true, encoding: 'utf8' })
  .map((file) => join('packages', file))
  .filter((file) => /^packages[/]\w+[/]src[/].*[.]ts$/.test(file) && !file.endsWith('.spec.ts'))
  .filter((file) => !/[/]src[/](algorithms|testing)[/]|[/](scripts|page)[.]ts$/.test(file));

/** They read what people write for the option, before it is checked; `replay` finds a limit by how the window counts. */
const READERS = [
  'packages/cli/src/replay/limit-search.ts',
  'packages/cli/src/replay/replayed-request.ts',
  'packages/policies/src/document/policy-features.ts',
];

function linesWith(pattern: RegExp, among = files): readonly string[] {
  return among.flatMap((file) =>
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
    ['in which form a window is stored', /\bisRing\b|\bkeepsLog\b/],
    ['whether the limit of a bucket moves', /policy[.]moves\b/],
  ])('do not ask %s: an algorithm says what they want to know', (_what, pattern) => {
    expect(linesWith(pattern)).toEqual([]);
  });

  it.each([
    [
      'compare the name of an algorithm',
      /(?<!typeof )\b[aA]lgorithm([.]name)?\s*[!=]==\s*['"`]|algorithm[.]name(\s*[!=]==|[.]\w+With)/,
    ],
    [
      'look for a name in a list of theirs',
      /[(][^()]*algorithm[.]name[)]|= \[(undefined, )?('[a-z]+-[a-z-]+', )*'(\w+-window|\w+-bucket)'/,
    ],
  ])('do not %s, unless they read what people write', (_what, pattern) => {
    const others = files.filter((file) => !READERS.includes(file));

    expect(linesWith(pattern, others)).toEqual([]);
    expect(linesWith(pattern, READERS)).not.toEqual([]);
  });
});
