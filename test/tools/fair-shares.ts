import { parseArgs } from 'node:util';
import { sharesOf, unitsByProcess } from '../redis/permits/tenants.js';
import { table } from './table.js';

// npm run tool -- fair-shares [--seconds 10 --hold 50]
// What tenants get of a limit of 20 in flight: four processes on one Redis, one tenant with five times the requests of the
// three others, and one that has a request at a time. A request works for `hold` milliseconds.
//
// npm run tool -- fair-shares --processes 2,4 [--limit 2,3,50] [--hold 5,50,500] [--seconds 8]
// What each of several processes gets that always has requests in line, and whether all keep as many units at work as one alone.

const { values } = parseArgs({
  options: {
    seconds: { type: 'string' },
    hold: { type: 'string' },
    processes: { type: 'string' },
    limit: { type: 'string', default: '2,3,50' },
  },
});

if (values.processes === undefined) console.log(table(await tenantRows()));
else console.log(table(await processRows(numbersOf('processes', values.processes))));

function numbersOf(name: string, list: string): readonly number[] {
  const numbers = list.split(',').map(Number);
  if (numbers.every((each) => each > 0)) return numbers;
  throw new Error(`--${name} must be numbers above 0, such as --${name} 50 or --${name} 5,500`);
}

async function tenantRows(): Promise<readonly (readonly string[])[]> {
  const [seconds] = numbersOf('seconds', values.seconds ?? '10');
  const [hold] = numbersOf('hold', values.hold ?? '50');
  const floods = { flood: 40, b: 8, c: 8, d: 8 };
  const rows = [['', "Jain's index", 'idle, %', 'longest wait of the quiet tenant, ms']];
  for (const isFair of [false, true]) {
    const { index, idle, quietWait } = await sharesOf({ isFair, floods, lasts: seconds! * 1_000, hold: hold! });
    rows.push([orderOf(isFair), index.toFixed(3), idle.toFixed(1), quietWait.toFixed()]);
  }
  return rows;
}

async function processRows(counts: readonly number[]): Promise<readonly (readonly string[])[]> {
  const [seconds] = numbersOf('seconds', values.seconds ?? '8');
  const rows = [['limit', 'work, ms', 'order', 'processes', 'of one alone, %', 'least share of a process, %']];
  for (const limit of numbersOf('limit', values.limit)) {
    for (const hold of numbersOf('hold', values.hold ?? '5,50,500')) {
      for (const isFair of [false, true]) {
        const load = { limit, hold, isFair, lasts: seconds! * 1_000 };
        const alone = await unitsByProcess({ ...load, processes: 1, lasts: 5_000 });
        for (const processes of counts) {
          const { together, least } = await unitsByProcess({ ...load, processes });
          const figures = [together / alone.together, (least * processes) / alone.together].map((part) =>
            (part * 100).toFixed(),
          );
          rows.push([String(limit), String(hold), orderOf(isFair), String(processes), ...figures]);
          console.error(rows.at(-1)!.join(' '), alone.together.toFixed(2), together.toFixed(2), least.toFixed(2));
        }
      }
    }
  }
  return rows;
}

function orderOf(isFair: boolean): string {
  return isFair ? 'with fair' : 'by arrival';
}
