import { readResults } from '../simulation/results.js';
import { markdownTable, withTable } from './markdown-table.js';
import { page } from './pages.js';

const HEADING = '### What it has found';

/** `docs/proof.md` with the table of what the simulation has found last. */
export function proofPage(): string {
  return withTable(page('docs/proof.md').text, HEADING, resultTable());
}

function resultTable(): string {
  const { run, planted, mutants } = readResults();
  const all = `${run.broken} break a law, by ${grouped(run.requests)} requests`;
  const defects = planted.found.map(({ name, seed }) => [
    `put back: ${name}`,
    seed === undefined ? `not found by ${grouped(planted.seeds)} seeds` : `found by seed ${seed}`,
  ]);
  const sum = (count: 'found' | 'planted') => mutants.rooms.reduce((total, room) => total + room[count], 0);
  const rooms = mutants.rooms.map(({ room, planted: count, found }) => `${room} ${found}/${count}`);
  return markdownTable(
    ['search', 'result'],
    [
      [`${grouped(run.seeds)} seeds, on ${run.date}`, all],
      ...defects,
      [`mutants: ${rooms.join('; ')}`, `${sum('found')} of ${sum('planted')}, by ${grouped(mutants.seeds)} seeds each`],
    ],
  );
}

/** `100 000` */
function grouped(number: number): string {
  return String(number).replace(/\B(?=(\d{3})+$)/g, ' ');
}
