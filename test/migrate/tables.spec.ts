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

  it.each(PEERS)('has each option once: $name', ({ name, table }) => {
    const options = table.flatMap((row) => row.options);
    // A module of NestJS and its throttlers have some of the same options.
    const twice = options.filter((option, index) => options.indexOf(option) !== index);

    expect(name === '@nestjs/throttler' ? [] : twice).toEqual([]);
  });

  it.each(PEERS)('says in full words what to write in the place of an option without an equal: $name', ({ table }) => {
    for (const { refused } of table) if (refused !== undefined) expect(refused.split(' ').length).toBeGreaterThan(2);
  });
});
