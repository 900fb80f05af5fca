import { parseArgs } from 'node:util';
import { sharesOf, unitsByProcess } from '../redis/permits/tenants.js';
import { table } from './table.js';

// npm run fair-shares [-- --seconds 10 --hold 50] [--processes 4 --limit 3]
// What tenants get of a limit of 20 in flight: four processes on one Redis, one tenant with five times the requests of the
// three others, and one that has a request at a time. A request works for `hold` milliseconds. With `--processes` what each of
// them gets that always has requests in line, and what one alone keeps at work.

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '10' },
    hold: { type: 'string', default: '50' },
    processes: { type: 'string' },
    limit: { type: 'string', default: '3' },
  },
});
const [lasts, hold] = [Number(values.seconds) * 1_000, Number(values.hold)];
if (!(lasts > 0 && hold > 0)) throw new Error('--seconds and --hold must be numbers above 0, such as --hold 500');
const [processes, limit] = [values.processes, values.limit].map(Number);
const floods = { flood: 40, b: 8, c: 8, d: 8 };

if (values.processes !== undefined) {
  const units: (string | number)[][] = [['', 'one alone', 'together', 'least of a process', 'half of an even share']];
  for (const isFair of [false, true]) {
    const load = { limit: limit!, isFair, hold, lasts };
    const [alone] = await unitsByProcess({ ...load, processes: 1 });
    const each = await unitsByProcess({ ...load, processes: processes! });
    const together = each.reduce((sum, its) => sum + its, 0);
    const figures = [alone!, together, Math.min(...each), limit! / processes! / 2];
    units.push([isFair ? 'with fair' : 'by arrival', ...figures.map((figure) => figure.toFixed(2))]);
  }
  console.log(table(units));
  process.exit();
}

const rows: (string | number)[][] = [['', "Jain's index", 'idle, %', 'longest wait of the quiet tenant, ms']];
for (const isFair of [false, true]) {
  const { index, idle, quietWait } = await sharesOf({ isFair, floods, lasts, hold });
  rows.push([isFair ? 'with fair' : 'by arrival', index.toFixed(3), idle.toFixed(1), Math.round(quietWait)]);
}
console.log(table(rows));
