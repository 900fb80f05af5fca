import { noTargets } from '../simulation/no-targets.mjs';
import { planted as rows } from '../simulation/planted.mjs';
import { readResults } from '../simulation/results.js';
import { targetsByRoom } from '../simulation/targets.js';
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
  const searched = new Map(planted.found.map(({ name, seed }) => [name, seed]));
  const defects = rows.map(({ name }) => {
    const seed = searched.get(name);
    if (seed !== undefined) return [`put back: ${name}`, `found by seed ${seed}`];
    return [
      `put back: ${name}`,
      searched.has(name) ? `not found by ${grouped(planted.seeds)} seeds` : 'not searched yet',
    ];
  });
  const seedOf = new Map(mutants.found.map(({ name, seed }) => [name, seed]));
  const scores = [...targetsByRoom()].map(([room, targets]) => {
    const tried = targets.filter(({ name }) => seedOf.has(name));
    const found = tried.filter(({ name }) => seedOf.get(name) !== undefined);
    return { room, targets: targets.length, tried: tried.length, found: found.length };
  });
  const sum = (count: 'found' | 'tried' | 'targets') => scores.reduce((total, score) => total + score[count], 0);
  const rooms = scores.map(({ room, tried, found }) => `${room} ${found}/${tried}`);
  const untried = sum('targets') - sum('tried');
  const rest = untried === 0 ? '' : `; ${untried} others have not been tried`;
  return markdownTable(
    ['search', 'result'],
    [
      [`${grouped(run.seeds)} seeds, on ${run.date}`, all],
      ...defects,
      [
        `mutants: ${rooms.join('; ')}`,
        `${sum('found')} of ${sum('tried')}, by ${grouped(mutants.seeds)} seeds each${rest}`,
      ],
      ['mutants that are no targets, each with its reason', `[${noTargets.size}](../test/simulation/no-targets.mjs)`],
    ],
  );
}

/** `100 000` */
function grouped(number: number): string {
  return String(number).replace(/\B(?=(\d{3})+$)/g, ' ');
}
