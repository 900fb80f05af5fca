import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { wordsOf } from '../../packages/core/src/options/option-row.js';
import { errorOf, isOf, thrownBy } from './table-errors.js';
import { hasCheck, rightValues, togetherOf, wrongValues } from './table.js';
import { tables } from './tables.js';

const rows = tables.flatMap((table) =>
  Object.entries(table.rows)
    .filter(([, row]) => hasCheck(row))
    .map(([option, row]) => ({ table, option, row, name: table.name })),
);

describe.each(rows)('The option $option of $name', ({ table, option, row }) => {
  it('rejects each value of a wrong kind with its name, its rule and what is allowed', async () => {
    const wrong = wrongValues(row);
    const errors = await Promise.all(
      wrong.map(async (value) => ({ value, error: await errorOf(table, option, value) })),
    );

    expect(wrong.length).toBeGreaterThan(5);
    expect(errors.filter(({ value, error }) => !isOf(error, option, row, value))).toEqual([]);
  });

  it('accepts each value of a right kind', async () => {
    const right = [...rightValues(row), ...(table.values?.[option] ?? [])];
    const errors = await Promise.all(
      right.map(async (value) => ({ value, error: await errorOf(table, option, value) })),
    );

    expect(right.length).toBeGreaterThan(0);
    expect(errors.filter(({ value, error }) => isOf(error, option, row, value))).toEqual([]);
  });

  it('may be left out only if its row says so', async () => {
    const error = await errorOf(table, option, undefined);

    expect(String(error).includes(`${option} is missing: it must be ${wordsOf(row, option)}`)).toBe(
      row.required === true,
    );
  });
});

const rules = tables.flatMap((table) =>
  (table.rules ?? []).map((rule) => {
    const { option, beside, without } = rule;
    const other = beside === undefined ? (without ?? 'this algorithm') : beside;
    return { table, rule, name: table.name, option, other };
  }),
);

describe.each(rules)('The option $option of $name beside or without $other', ({ table, rule }) => {
  it('is rejected with the rule of both', async () => {
    const error = await thrownBy(() => table.make(togetherOf(table, rule) as never));

    expect(error).toMatchObject({ name: 'ConfigError', code: 'OPTION_INVALID', option: rule.option });
    expect((error as Error).message).toContain(`${rule.option} ${rule.rule}, got `);
  });
});

describe('The tables of options', () => {
  it('are all tested', () => {
    const named = sourcesIn('packages').flatMap((text) => [...text.matchAll(/^(?:export )?const (\w+_ROWS) = \{/gm)]);
    const tested = sourcesIn('test/mistakes').join('');

    expect(named.length).toBeGreaterThan(20);
    expect(named.map(([, name]) => name!).filter((name) => !tested.includes(name))).toEqual([]);
  });
});

/** The texts of all sources of a folder but specs. */
function sourcesIn(folder: string): readonly string[] {
  const root = join(__dirname, '../..', folder);
  const paths = readdirSync(root, { recursive: true, encoding: 'utf8' });
  const sources = paths.filter((path) => /^(?!.*(node_modules|dist)).*(?<!\.spec|\.d)\.ts$/.test(path));
  return sources.map((path) => readFileSync(join(root, path), 'utf8'));
}
