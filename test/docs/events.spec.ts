import { bodyOf, choicesOf, membersOf } from './declarations.js';
import { page, sectionOf } from './pages.js';

const SOURCE = 'events/events.ts';

const { text } = page('docs/reference/events.md');

const events = [...bodyOf(SOURCE, 'SluiceEvents').matchAll(/^ {2}'(sluice:[\w-]+)': (\w+);/gm)].map(
  ([, channel, type]) => [channel!, type!] as const,
);

describe('docs/reference/events.md', () => {
  it('has a section for each channel, and no other', () => {
    const sections = [...text.matchAll(/^## (sluice:.+)$/gm)].map(([, channel]) => channel!);

    expect(sections).toEqual(events.map(([channel]) => channel));
  });

  it('lists each channel in its table, and no other', () => {
    const rows = [...text.matchAll(/^\| \[`(sluice:[\w-]+)`\]/gm)].map(([, channel]) => channel!);

    expect(rows).toEqual(events.map(([channel]) => channel));
  });

  it.each(events)('has a row for each member of %s', (channel, type) => {
    const rows = rowsOf(channel);

    expect(rows.map(([name]) => name)).toEqual(membersOf(SOURCE, type));
  });

  it.each(events)('names the values of each member of %s', (channel, type) => {
    const missing = rowsOf(channel).flatMap(([name, row]) =>
      choicesOf(SOURCE, type, name).filter((choice) => !row.includes(`\`'${choice}'\``)),
    );

    expect(missing).toEqual([]);
  });
});

describe('docs/reference/events.md, tracing channels', () => {
  it.each([
    ['sluice:consume', 'ConsumeTrace'],
    ['sluice:call', 'CallTrace'],
  ])('has a row for each member of the context of %s', (channel, type) => {
    const section = sectionOf(text, 'Tracing channels')
      .split(/^### /m)
      .find((each) => each.startsWith(`${channel}\n`))!;
    const rows = [...section.matchAll(/^\| `(\w+)` /gm)].map(([, name]) => name!);

    expect(rows.toSorted()).toEqual(membersOf('events/traces.ts', type).toSorted());
  });
});

/** The members of an event, each with its row. */
function rowsOf(channel: string): readonly (readonly [name: string, row: string])[] {
  return [...sectionOf(text, channel).matchAll(/^\| `(\w+)` .*$/gm)].map(([row, name]) => [name!, row] as const);
}
