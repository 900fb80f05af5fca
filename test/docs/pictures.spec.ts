import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { chart } from './pictures/chart.js';
import { pictureOf } from './pictures/files.js';
import { subjects } from './pictures/subjects.js';

describe.each(subjects.map((subject) => [subject.name, subject] as const))('The picture of %s', (_, subject) => {
  it('is up to date (otherwise run `npm run tool -- pictures`)', () => {
    // A boolean, because a diff of SVG is unreadable.
    expect(readFileSync(pictureOf(subject), 'utf8') === chart(subject)).toBe(true);
  });
});

it('every drawn picture has a subject', () => {
  const drawn = subjects.map((subject) => basename(pictureOf(subject)));

  const names = readdirSync(dirname(pictureOf(subjects[0]!))).filter((name) => name.endsWith('.svg'));

  expect(names.toSorted()).toEqual(drawn.toSorted());
});
