import { parseArgs } from 'node:util';
import { stacks } from '../adapters/stacks/index.js';
import { leaks, type Round } from '../resilience/leaks/leaks.js';
import { table } from './table.js';

// npm run tool -- leaks [--minutes 10] [--seed 1]
// Clients of every framework leave at random moments. Exits with 1 if Redis stores another number of units than requests run.

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 32)) },
  },
});
const { minutes, seed } = values;
if (!(Number(minutes) > 0) || !Number.isSafeInteger(Number(seed))) {
  throw new Error('npm run tool -- leaks --minutes 10 --seed 1');
}
// Express prints errors of handlers elsewhere.
process.env['NODE_ENV'] = 'test';
// Clients that leave cause these.
process.removeAllListeners('warning');
console.log(`Clients leave for ${minutes} minutes, seed ${seed}`);

const rounds = await leaks({ lasts: Number(minutes) * 60_000, seed: Number(seed), stacks });
const sum = (of: readonly Round[], what: 'requests' | 'aborted' | 'running') =>
  of.reduce((total, round) => total + round[what], 0);
const isBroken = ({ stored, running, left }: Round) => stored !== running || left > 0;
const rows = stacks.map(({ name }) => {
  const own = rounds.filter(({ stack }) => stack === name);
  const counts = (['requests', 'aborted', 'running'] as const).map((what) => sum(own, what));
  return [name, own.length, ...counts, own.filter(isBroken).length];
});
console.log(table([['', 'rounds', 'requests', 'aborted', 'running when idle', 'leaks'], ...rows]));
const broken = rounds.filter(isBroken);
for (const { stack, running, stored, left } of broken) {
  console.log(`LEAK: ${stack}: ${stored} units stored while ${running} ran, ${left} left`);
}
process.exitCode = broken.length === 0 ? 0 : 1;
