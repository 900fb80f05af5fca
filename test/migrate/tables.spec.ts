import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PEERS } from '../../packages/migrate/src/peers/peers.js';
import { root } from '../../scripts/root.mjs';

/** The words of the first column of a guide's table of options. */
function optionsIn(guide: string): ReadonlySet<string> {
  const [, section = ''] = readFileSync(join(root, guide), 'utf8').split('\n## Option by option\n');
  const rows = section
    .split('\n## ')[0]!
    .split('\n')
    .filter((line) => line.startsWith('|'));
  return new Set(rows.flatMap((row) => row.split('|')[1]!.match(/\w+/g) ?? []));
}

describe('The table of options of a library', () => {
  it.each(PEERS)('is that of its guide: $name', ({ table, guide }) => {
    const inGuide = optionsIn(guide);

    expect(table.flatMap(({ options }) => options).filter((name) => !inGuide.has(name))).toEqual([]);
  });

  // A module of NestJS and its throttlers have some of the same options.
  it.each(PEERS.filter(({ name }) => name !== '@nestjs/throttler'))('has each option once: $name', ({ table }) => {
    const options = table.flatMap((row) => row.options);

    expect(options.filter((option, index) => options.indexOf(option) !== index)).toEqual([]);
  });

  it.each(PEERS)('says in words what to write in the place of an option without an equal: $name', ({ table }) => {
    const hands = table.flatMap(({ refused }) => refused ?? []);

    expect(hands.filter((hand) => !/^(write|read|choose|remove|the binding) /.test(hand))).toEqual([]);
  });
});
