import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { limitTable } from '../../bench/src/report/limits.js';
import { reportTable } from '../../bench/src/report/markdown.js';
import { reportsIn } from '../../bench/src/report/write.js';
import { root } from '../../scripts/root.mjs';

const folder = join(root, 'docs', 'benchmarks');
const [newest, ...others] = reportsIn(folder);

describe('pages about the benchmark', () => {
  it.each([
    ['README.md', reportTable(newest!, others)],
    ['limits.md', limitTable(newest!)],
  ])('show in %s the figures of the kept runs', (page, table) => {
    const shown = rowsOf(readFileSync(join(folder, page), 'utf8'));

    expect(shown).toEqual(expect.arrayContaining(rowsOf(table)));
  });

  it('show the cost of many identities, and of no few', () => {
    const rows = rowsOf(limitTable(newest!)).filter((row) => row.startsWith('many identities'));

    expect(rows.map((row) => row.replace(/.*: ([\d ]+) of .*/, '$1'))).toEqual(['100 000', '1 000 000', '10 000 000']);
  });
});

/** The rows of tables, however wide their columns are. */
function rowsOf(text: string): readonly string[] {
  const rows = text.split('\n').filter((line) => line.startsWith('|') && !/^[|\s:-]+$/.test(line));
  return rows.map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim())
      .join(' | '),
  );
}
