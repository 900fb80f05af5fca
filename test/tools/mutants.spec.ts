import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from '@swc/core';
import { parse } from 'luaparse';
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

  it('are programs, so that a spec catches what they do', () => {
    const edits = [...mutants, ...planted.flatMap(({ edits: all }) => [...all])];

    expect(edits.filter((edit) => !isProgram(edit)).map(({ file, replacement }) => ({ file, replacement }))).toEqual(
      [],
    );
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

/** Whether a file is one with the replacement of a fault. */
function isProgram({ file, text, replacement }: { file: string; text: string; replacement: string }): boolean {
  const faulty = readFileSync(join(root, file), 'utf8').replace(text, () => replacement);
  try {
    if (file.endsWith('.lua')) parse(faulty, { luaVersion: '5.1' });
    else parseSync(faulty, { syntax: 'typescript', tsx: file.endsWith('x') });
    return true;
  } catch {
    return false;
  }
}
