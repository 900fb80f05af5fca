import { parseArgs } from 'node:util';
import { guidedClient } from '../support/guided-clients.js';
import { buildPackages } from '../support/program.js';
import { defaultClient } from '../resilience/faults/default-client.js';
import { whyNoClock } from '../resilience/clock/clocked-redis.js';
import type { Fault } from '../resilience/faults/fault.js';
import { runFault, type FaultRow, type FaultRunOptions } from '../resilience/faults/run-fault.js';
import { clientFaults, faults, groupFaults } from '../resilience/faults/index.js';
import { fleetOutage } from '../resilience/fleet/outage.js';
import { boundOf, brokenBounds } from '../resilience/faults/verdict.js';
import { table } from './table.js';

// npm run tool -- faults [--only killed] [--at-most 1000] [--client ioredis | iovalkey | node-redis]
// Runs each fault on real servers under steady traffic of three limiters, and prints the results. Exits with 1 if a bound
// is broken. With a client, it runs all faults with one of the application, as the guide has it.

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { only: { type: 'string', default: '' }, 'at-most': { type: 'string' }, client: { type: 'string' } },
  });
  const atMost = Number(values['at-most'] ?? Infinity);
  const named = ({ name }: Fault) => name.includes(values.only);
  // The faults cause these warnings.
  process.removeAllListeners('warning');
  if (values.client !== undefined) {
    await printGuided(values.client, faults.filter(named), atMost);
    return;
  }
  await print('The client of the store', faults.filter(named), { atMost });
  await print('A client with the default settings of ioredis', clientFaults.filter(named), {
    atMost,
    client: defaultClient,
  });
  await print('A client of a group or a Cluster with default settings', groupFaults.filter(named), {
    atMost,
    client: defaultClient,
  });
  const noClock = whyNoClock();
  if (noClock !== undefined) console.log(`\nThe clock was not stepped: ${noClock}`);
  if ('fleet'.includes(values.only)) await printFleet();
}

const NO_GROUPS = 'groups. node-redis sends twice with Sentinels, and in a Cluster of this tool Redis decided nothing.';

async function printGuided(name: string, struck: readonly Fault[], atMost: number): Promise<void> {
  const client = guidedClient(name);
  const possible = struck.filter((fault) => name !== 'node-redis' || !groupFaults.includes(fault));
  await print(`A client of ${name}, as the guide has it`, possible, { atMost, client, isGuided: true });
  if (possible.length < struck.length) console.log(`\nLeft out: ${NO_GROUPS}`);
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
 * Times are in milliseconds. `longest` is the longest decision, at most `bound`: the deadline, 25 ms and the `lag` of the
 * event loop. Then decisions by source; requests that Redis counted, admitted, and did not reply to; and `ghosts`, counted
 * after the last request.
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
  ['no reply', ({ unsure }) => unsure],
  ['ghosts', ({ ghosts }) => ghosts],
  ['recovery', ({ recovery }) => (Number.isFinite(recovery) ? recovery.toFixed(0) : '-')],
  ['opened', ({ openings }) => openings],
  ['late', ({ lateReplies }) => lateReplies],
  ['rejected', ({ rejections }) => rejections.length],
];

/** Prints what three processes admit, each with a third of the limit without Redis. */
async function printFleet(): Promise<void> {
  console.error('fleet');
  await buildPackages();
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
