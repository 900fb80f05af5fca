import { arch, cpus, platform, release } from 'node:os';
import { parseArgs } from 'node:util';
import { buildPackages } from '../support/program.js';
import { missesOf } from '../overload/bars.js';
import { calmCost } from '../overload/calm-cost.js';
import { Contestant } from '../overload/contestant.js';
import { loadRow, powerOf, type LoadRow } from '../overload/load-row.js';
import { pauseRow, type PauseRow } from '../overload/pause-row.js';
import { POOL_HEAD, poolRows } from '../overload/pool-rows.js';
import { MIXED_HEAD, mixedRow, STUCK_HEAD, stuckRow } from '../overload/pool-trouble.js';
import { PAUSE_LOADS, SUBJECTS, wholePlan, type Part } from '../overload/plan.js';
import { keepRow } from '../overload/results.js';
import { LOAD_HEAD, loadCells, nameOf, PAUSE_HEAD, pauseCells } from '../overload/row-text.js';
import { POOL_SERVERS } from '../overload/pool-terms.js';
import { CONNECTIONS, hasShedder, SERVERS, type Connections, type Transport } from '../overload/terms.js';
import { modelTable } from '../overload/model-table.js';
import { table } from './table.js';

const HELP = `npm run tool -- overload [options]: what servers give whose requests take 5 ms, above their capacity and in pauses

--only express,nginx      of ${Object.keys(SUBJECTS).join(', ')}; the servers alone by default
--load 1.2,4              times the capacity
--connections new,kept    a connection for each request, or kept ones that clients close when they give up
--seconds 10              of a load
--runs 3                  of each load
--pauses 1000             milliseconds of pauses, at 20, 40 and 60 % of the capacity, in place of loads
--tries 16                of each pause
--node 20                 the Node of the server
--transport tls           tcp, tls or unix
--calm                    what a calm request takes of a core: with a shedder, without, and without once more
--model                   the same in a model of the event loop, in simulated time
--pool                    requests that wait for ten connections of a Postgres, beside other ways to limit them
--limit 10,12,15,20,30    with --pool: requests in flight of a fixed limit, of which the best is shown
--stuck                   with --pool: its Postgres stands for ten seconds
--mixed                   with --pool: queries of 1 ms and of 500 ms while it has room
--keep                    writes each row into docs/benchmarks/overload.json
--all                     all that docs/benchmarks/overload.md shows, kept, in an hour`;

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: SERVERS.join(',') },
    load: { type: 'string', default: '1.2,4' },
    connections: { type: 'string', default: CONNECTIONS.join(',') },
    seconds: { type: 'string', default: '10' },
    runs: { type: 'string', default: '1' },
    pauses: { type: 'string', default: '' },
    tries: { type: 'string', default: '16' },
    node: { type: 'string' },
    transport: { type: 'string', default: 'tcp' },
    calm: { type: 'boolean', default: false },
    model: { type: 'boolean', default: false },
    pool: { type: 'boolean', default: false },
    limit: { type: 'string', default: '10,12,15,20,30' },
    stuck: { type: 'boolean', default: false },
    mixed: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
    all: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
/** What a shedder may cost in calm, and what two measurements of the same may differ by. */
const [DEAREST, SAME] = [0.02, 0.01];
const [seconds, machine] = [Number(values.seconds), machineText()];

if (values.help) console.log(HELP);
else if (values.model) console.log(await modelTable(values.load.split(',').map(Number)));
else if (values.pool) await printPools();
else {
  await buildPackages();
  console.log(`${process.version}, ${machine}, ${seconds} s a load. Served within a second, of those that came.\n`);
  const parts = values.all ? wholePlan() : chosenParts();
  if (values.calm)
    for (const part of parts.filter(({ server }) => hasShedder(server))) {
      await printCalm(part, false);
      await printCalm(part, true);
    }
  else for (const part of parts) await measure(part);
}

function chosenParts(): readonly Part[] {
  const list = (text: string) => text.split(',').filter((each) => each !== '');
  const pauses = list(values.pauses).map(Number);
  return list(values.only).flatMap((name) => {
    const subject = SUBJECTS[name];
    if (!subject) throw new Error(`--only ${name}: write one of ${Object.keys(SUBJECTS).join(', ')}`);
    // nginx decides how it connects to the server.
    const kinds = subject.proxy === undefined ? list(values.connections) : ['kept'];
    return kinds.map((connections) => ({
      ...subject,
      connections: connections as Connections,
      transport: values.transport as Transport,
      ...(values.node !== undefined && { node: Number(values.node) }),
      loads: pauses.length > 0 ? [] : list(values.load).map(Number),
      runs: Number(values.runs),
      pauses,
      tries: Number(values.tries),
    }));
  });
}

async function printPools(): Promise<void> {
  await buildPackages();
  console.log(`${process.version}, ${machine}, ${seconds} s a load. Served within a second, of those that came.\n`);
  const loads = values.load.split(',').map(Number);
  const limits = values.limit.split(',').map(Number);
  const chosen = POOL_SERVERS.filter(
    (name) => values.only.split(',').includes(name) || values.only === SERVERS.join(','),
  );
  if (values.stuck || values.mixed) {
    const rows: (readonly string[])[] = [];
    for (const name of chosen) rows.push(await (values.stuck ? stuckRow(name) : mixedRow(name, seconds)));
    console.log(table([values.stuck ? STUCK_HEAD : MIXED_HEAD, ...rows]));
    return;
  }
  for (const name of chosen) {
    const rows = await poolRows(name, { loads, seconds, limits });
    console.log(`${name}\n${table([POOL_HEAD, ...rows])}\n`);
  }
}

async function measure({ loads, runs, pauses, tries, ...entry }: Part): Promise<void> {
  const contestant = await Contestant.start(entry);
  const power = await powerOf(contestant, entry);
  const { capacity, refusal } = power;
  const rows: (readonly string[])[] = [];
  for (const load of loads) {
    for (let run = 1; run <= runs; run += 1) {
      const row = await loadRow(contestant, entry, { load, run, seconds, power });
      note(row);
      rows.push(loadCells(row));
    }
  }
  for (const pause of pauses) {
    for (const load of PAUSE_LOADS) {
      const row = await pauseRow(contestant, entry, { pause, load, tries, capacity });
      note(row);
      rows.push(pauseCells(row));
    }
  }
  await contestant.stop();
  const can = `${capacity.toFixed(0)} a second, a refusal takes ${refusal.toFixed(3)} ms`;
  // A run that is stopped has printed those before.
  console.log(`${nameOf(entry)}: ${can}\n${table([pauses.length > 0 ? PAUSE_HEAD : LOAD_HEAD, ...rows])}\n`);
}

async function printCalm(entry: Part, queues: boolean): Promise<void> {
  const { shedding, bare, control } = await calmCost(entry, queues);
  const [more, same] = [shedding, control].map((cost) => `${((cost / bare - 1) * 100).toFixed(1)} %`);
  const isSure = Math.abs(control / bare - 1) <= SAME;
  const sure = isSure ? '' : `. That is too much to tell what a shedder costs: let no other program run`;
  const costs = `${shedding.toFixed(1)} µs with a shedder${queues ? ' and queues' : ''}, ${bare.toFixed(1)} µs without: ${more} more`;
  console.log(`${nameOf(entry)}: ${costs}; the same without differs by ${same}${sure}`);
  if (!isSure || shedding / bare - 1 > DEAREST) process.exitCode = 1;
}

function note(row: LoadRow | PauseRow): void {
  if (missesOf(row).length > 0) process.exitCode = 1;
  if (values.keep || values.all) keepRow(row, machine);
}

function machineText(): string {
  const [{ model } = { model: arch() }] = cpus();
  return `${cpus().length} cores ${model.trim()}, ${platform()} ${release()}`;
}
