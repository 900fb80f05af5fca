import { parseArgs } from 'node:util';
import { sharesOf } from '../redis/permits/tenants.js';
import { table } from './table.js';

// npm run fair-shares [-- --seconds 10 --hold 50]
// What tenants get of a limit of 20 in flight: four processes on one Redis, one tenant with five times the requests of the
// three others, and one that has a request at a time. A request works for `hold` milliseconds.

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '10' }, hold: { type: 'string', default: '50' } },
});
const [lasts, hold] = [Number(values.seconds) * 1_000, Number(values.hold)];
if (!(lasts > 0 && hold > 0)) throw new Error('--seconds and --hold must be numbers above 0, such as --hold 500');
const floods = { flood: 40, b: 8, c: 8, d: 8 };

const rows: (string | number)[][] = [['', "Jain's index", 'idle, %', 'longest wait of the quiet tenant, ms']];
for (const isFair of [false, true]) {
  const { index, idle, quietWait } = await sharesOf({ isFair, floods, lasts, hold });
  rows.push([isFair ? 'with fair' : 'by arrival', index.toFixed(3), idle.toFixed(1), Math.round(quietWait)]);
}
console.log(table(rows));
