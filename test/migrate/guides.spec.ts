import { migrationOf } from '../../packages/migrate/src/migrate.js';
import { page, sectionOf } from '../docs/pages.js';
import { GUIDE_SHAPES } from './guide-shapes.js';

describe.each(Object.entries(GUIDE_SHAPES))('The guide to migrate from %s', (guide, shapes) => {
  const section = sectionOf(page(`docs/guide/migrate-from-${guide}.md`).text, 'In whole programs');
  const rows = section
    .split('\n')
    .filter((line) => line.startsWith('| ') && !/^\| (-|in the program)/.test(line))
    .map((line) => line.slice(2));

  it('has a program for each row of its table of shapes', () => {
    const unknown = rows.filter((row) => !shapes.some((shape) => row.startsWith(shape.row)));
    const gone = shapes.filter((shape) => !rows.some((row) => row.startsWith(shape.row)));

    expect({ unknown, gone: gone.map(({ row }) => row) }).toEqual({ unknown: [], gone: [] });
  });

  it.each(shapes)('is right about $row', async ({ files, becomes, isRefused = false }) => {
    const { changed, translations } = await migrationOf(new Map(Object.entries(files)));

    const unread = translations.flatMap((each) => each.unread.map(({ what, hand }) => `${what}: ${hand}`));
    const text = isRefused ? unread.join('\n') : [...changed.values()].join('\n');
    const line = text.replaceAll(/\s+/g, ' ').replaceAll(', }', ' }');
    expect(unread.length > 0).toBe(isRefused);
    for (const each of becomes) expect(line).toContain(each);
  });
});
