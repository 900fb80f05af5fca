import { sharesOf } from '../redis/permits/tenants.js';
import { table } from './table.js';

// npm run fair-shares [-- --seconds 10]
// What tenants get of a limit of 20 in flight: four processes on one Redis, one tenant with five times the requests of the
// three others, and one that has a request at a time.

const seconds = Number(process.argv[process.argv.indexOf('--seconds') + 1]) || 10;
const floods = { flood: 40, b: 8, c: 8, d: 8 };

const rows: (string | number)[][] = [['', "Jain's index", 'idle, %', 'longest wait of the quiet tenant, ms']];
for (const isFair of [false, true]) {
  const { index, idle, quietWait } = await sharesOf({ isFair, floods, lasts: seconds * 1_000 });
  rows.push([isFair ? 'with fair' : 'by arrival', index.toFixed(3), idle.toFixed(1), Math.round(quietWait)]);
}
console.log(table(rows));
