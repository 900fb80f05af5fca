import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { occurrences } from '../../scripts/mutants.mjs';
import { root } from '../../scripts/root.mjs';
import { mutants } from '../mutants/mutants.mjs';
import { planted } from '../simulation/planted.mjs';
import { targetsByRoom } from '../simulation/targets.js';

describe('mutants', () => {
  it('replace a text that their file contains once', () => {
    expect(mutants.filter((mutant) => occurrences(mutant) !== 1)).toEqual([]);
  });

  it('of the simulation replace such a text too', () => {
    const edits = planted.flatMap(({ edits: all }) => [...all]);

    expect(edits.filter((edit) => occurrences(edit) !== 1)).toEqual([]);
  });

  it('are in every room that the simulation searches', () => {
    const empty = [...targetsByRoom()].filter(([, targets]) => targets.length === 0);

    expect(empty.map(([room]) => room)).toEqual([]);
  });

  it('are caught by specs that exist', () => {
    const specs = mutants.flatMap((mutant) => mutant.specs);

    expect(specs.filter((spec) => !existsSync(join(root, spec)))).toEqual([]);
  });
});
