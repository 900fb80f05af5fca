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
  const defects = rows.map(({ name }) => {
    const { seed, seeds } = planted.find((each) => each.name === name) ?? {};
    const missed = seeds === undefined ? 'not searched yet' : `not found by ${grouped(seeds)} seeds`;
    return [`put back: ${name}`, seed === undefined ? missed : `found by seed ${seed}`];
  });
  const seedOf = new Map(mutants.map(({ name, seed }) => [name, seed]));
  const scores = [...targetsByRoom()].map(([room, targets]) => {
    const tried = targets.filter(({ name }) => seedOf.has(name));
    const found = tried.filter(({ name }) => seedOf.get(name) !== undefined);
    return { room, targets: targets.length, tried: tried.length, found: found.length };
  });
  const sum = (count: 'found' | 'tried' | 'targets') => scores.reduce((total, score) => total + score[count], 0);
  const rooms = scores.map(({ room, tried, found }) => `${room} ${found}/${tried}`);
  const untried = sum('targets') - sum('tried');
  const wanted = new Set([...targetsByRoom().values()].flat().map(({ name }) => name));
  const missed = mutants.filter(({ name, seed }) => wanted.has(name) && seed === undefined);
  const least = missed.length === 0 ? '' : `, by ${grouped(Math.min(...missed.map(({ seeds }) => seeds)))} seeds each`;
  const rest = untried === 0 ? '' : `; ${untried} others have not been tried`;
  return markdownTable(
    ['search', 'result'],
    [
      [`${grouped(run.seeds)} seeds, on ${run.date}`, all],
      ...defects,
      [`mutants: ${rooms.join('; ')}`, `${sum('found')} of ${sum('tried')}${least}${rest}`],
      ['mutants that are no targets, each with its reason', `[${noTargets.size}](../test/simulation/no-targets.mjs)`],
    ],
  );
}

/** `100 000` */
function grouped(number: number): string {
  return String(number).replace(/\B(?=(\d{3})+$)/g, ' ');
}
