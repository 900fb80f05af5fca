import { bodyOf, choicesOf, membersOf, sourceOf } from './declarations.js';
import { page, sectionOf } from './pages.js';

const SOURCE = 'events/events.ts';
/** Files of features that export the channels of their events. */
const FEATURES = [
  'overload/src/shed/shed-events.ts',
  'overload/src/queues/queue-events.ts',
  'overload/src/line/line-event.ts',
  'quotas/src/credits/low-balance.ts',
  'dashboard/src/desk-event.ts',
].map((file) => `../../${file}`);

const { text } = page('docs/reference/events.md');

const ofLimiters = [...bodyOf(SOURCE, 'SluiceEvents').matchAll(/^ {2}'(sluice:[\w-]+)': (\w+);/gm)].map(
  ([, channel, type]) => [channel!, type!, SOURCE] as const,
);
const ofFeatures = FEATURES.flatMap((file) =>
  [...sourceOf(file).matchAll(/eventChannel<(\w+)>\('(sluice:[\w-]+)'\)/g)].map(
    ([, type, channel]) => [channel!, type!, file] as const,
  ),
);
const events = [...ofLimiters, ...ofFeatures];

describe('docs/reference/events.md', () => {
  it('has a section for each channel, and no other', () => {
    const sections = [...text.matchAll(/^##?# (sluice:(?!consume$|call$).+)$/gm)].map(([, channel]) => channel!);

    expect(sections).toEqual(events.map(([channel]) => channel));
  });

  it('lists each channel in its table, and no other', () => {
    const rows = [...text.matchAll(/^\|.* \[`(sluice:[\w-]+)`\]/gm)].map(([, channel]) => channel!);

    expect(rows).toEqual(events.map(([channel]) => channel));
  });

  it.each(events)('has a row for each member of %s', (channel, type, file) => {
    const rows = rowsOf(channel);

    expect(rows.map(([name]) => name)).toEqual(allMembersOf(file, type));
  });

  it.each(events)('names the values of each member of %s', (channel, type, file) => {
    const missing = rowsOf(channel).flatMap(([name, row]) =>
      choicesOf(file, type, name).filter((choice) => !row.includes(`\`'${choice}'\``)),
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
  const section = text.split(/^##+ /m).find((each) => each.startsWith(`${channel}\n`))!;
  return [...section.matchAll(/^\| `(\w+)` .*$/gm)].map(([row, name]) => [name!, row] as const);
}

/** Also those that a type extends, which come first. */
function allMembersOf(file: string, type: string): readonly string[] {
  const [, base = '', left = ''] =
    new RegExp(`interface ${type} extends Omit<(\\w+), '(\\w+)'>`).exec(sourceOf(file)) ?? [];
  const inherited = base === '' ? [] : allMembersOf(file, base).filter((member) => member !== left);
  return [...inherited, ...membersOf(file, type)];
}
