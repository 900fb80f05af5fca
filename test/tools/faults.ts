import { parseArgs } from 'node:util';
import { carelessClient } from '../resilience/careless-client.js';
import { carelessGroupClient } from '../resilience/careless-group-client.js';
import { whyNoClock } from '../resilience/clock.js';
import type { Fault } from '../resilience/fault.js';
import { runFault, type FaultRow, type FaultRunOptions } from '../resilience/fault-run.js';
import { clientFaults, faults, groupFaults } from '../resilience/faults.js';
import { fleetOutage } from '../resilience/fleet-outage.js';
import { boundOf, brokenBounds } from '../resilience/verdict.js';
import { table } from './table.js';

// npm run faults -- [--only killed] [--at-most 1000]
// Strikes real servers with one fault after the other while callers of three limiters ask without a pause, and prints
// what became of them. It ends with 1 where a bound does not hold.

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { only: { type: 'string', default: '' }, 'at-most': { type: 'string' } } });
  const atMost = Number(values['at-most'] ?? Infinity);
  const named = ({ name }: Fault) => name.includes(values.only);
  // What the store warns of is what is being done to it.
  process.removeAllListeners('warning');
  await print('A client of the store', faults.filter(named), { atMost });
  await print("A caller's client with the settings that ioredis has", clientFaults.filter(named), {
    atMost,
    client: carelessClient,
  });
  await print("A caller's client of a group or a Cluster, the same", groupFaults.filter(named), {
    atMost,
    client: carelessGroupClient,
  });
  const noClock = whyNoClock();
  if (noClock !== undefined) console.log(`\nNo clock was stepped: ${noClock}`);
  if ('fleet'.includes(values.only)) await printFleet();
}

async function print(title: string, struck: readonly Fault[], options: FaultRunOptions): Promise<void> {
  const rows: FaultRow[] = [];
  for (const fault of struck) {
    console.error(fault.name);
    rows.push(await runFault(fault, options));
  }
  if (rows.length === 0) return;
  console.log(
    `\n${title}\n\n${table([
      COLUMNS.map(([head]) => head),
      ...rows.map((row) => COLUMNS.map(([, value]) => value(row))),
    ])}`,
  );
  for (const row of rows) {
    for (const broken of brokenBounds(row)) {
      console.log(`BROKEN: ${row.fault.name}: ${broken}`);
      process.exitCode = 1;
    }
  }
}

/**
 * Times are in milliseconds. `longest` is that of a decision, and at most `bound`: the deadline, 25 ms and the `lag` of
 * the event loop. Then decisions by who has made them; hits that Redis has counted, of those that it has admitted and
 * those that were sent and had no answer; and hits that were counted when nobody asked any more.
 */
const COLUMNS: readonly (readonly [head: string, value: (row: FaultRow) => string | number])[] = [
  ['fault', ({ fault }) => fault.name],
  ['longest', ({ longest }) => longest.toFixed(1)],
  ['bound', (row) => boundOf(row).toFixed(1)],
  ['lag', ({ lag }) => lag.toFixed(1)],
  ['redis', ({ decidedBy }) => decidedBy.redis],
  ['local', ({ decidedBy }) => decidedBy.local],
  ['allow', ({ decidedBy }) => decidedBy.allow],
  ['deny', ({ decidedBy }) => decidedBy.deny],
  ['counted', ({ onRedis }) => onRedis],
  ['admitted', ({ admitted }) => admitted],
  ['unanswered', ({ unsure }) => unsure],
  ['ghosts', ({ ghosts }) => ghosts],
  ['recovery', ({ recovery }) => (Number.isFinite(recovery) ? recovery.toFixed(0) : '-')],
  ['opened', ({ openings }) => openings],
  ['late', ({ lateReplies }) => lateReplies],
  ['rejected', ({ rejections }) => rejections.length],
];

/** What three processes admit, each of which has a third of the limit while there is no Redis. */
async function printFleet(): Promise<void> {
  console.error('fleet');
  const rows = await fleetOutage();
  const head = ['limit', 'of', 'with Redis', 'without', 'bound', 'with it again', 'without again'];
  console.log(
    `\nThree processes with a share of 1/3\n\n${table([
      head,
      ...rows.map((row) => [
        row.name,
        row.limit,
        row.together,
        row.apart,
        row.bound,
        row.togetherAgain,
        row.apartAgain,
      ]),
    ])}`,
  );
  for (const { name, apart, bound } of rows.filter((row) => row.apart > row.bound)) {
    console.log(`BROKEN: ${name}: ${apart} admitted, and ${bound} are allowed`);
    process.exitCode = 1;
  }
}

await main();
