import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../../scripts/root.mjs';
import { buildPackages } from '../support/program.js';
import { Flood, PRIORITIES, type Seen } from '../overload/flood.js';
import { runLoop } from '../overload/loop-model.js';
import { costOfRefusal, REFUSING } from '../overload/refusals.js';
import { table } from './table.js';

// npm run overload [-- --seconds 4 --loads 1.2,2,5,12 --only sluice,nothing] [-- --model] [-- --refusals]
// What a server gives whose requests take 5 ms, with a shedder, with @fastify/under-pressure and with nothing. One process
// serves, and this one floods it. With --refusals: what a refusal takes of a core.

const KINDS = ['sluice', 'under-pressure', 'nothing'];
const LOADS = '1.2,2,5,12';
const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '4' },
    loads: { type: 'string', default: LOADS },
    only: { type: 'string', default: KINDS.join(',') },
    model: { type: 'boolean', default: false },
    refusals: { type: 'boolean', default: false },
  },
});
const loads = values.loads.split(',').map(Number);

if (values.model) model();
else if (values.refusals) await refusals();
else await flood(Number(values.seconds) * 1_000);

function model(): void {
  const rows = loads.flatMap((load) =>
    [0, 20, 50].map((database) => {
      const { came, served, goodput, calmAfter } = runLoop({ load, database });
      const parts = PRIORITIES.map((each) => percent(served[each] / came[each]));
      return [`${load} ×, database ${database} ms`, ...parts, percent(goodput), seconds(calmAfter)];
    }),
  );
  console.log(table([['load', ...PRIORITIES, 'goodput', 'calm after'], ...rows]));
}

async function refusals(): Promise<void> {
  await buildPackages();
  const rows: string[][] = [];
  for (const kind of REFUSING) {
    const server = await start(kind);
    rows.push([kind, (await costOfRefusal(server)).toFixed(1)]);
    server.child.disconnect();
    await once(server.child, 'exit');
  }
  console.log(table([['a refusal by', 'µs of a core'], ...rows]));
}

async function flood(milliseconds: number): Promise<void> {
  await buildPackages();
  console.log('Served within a second, of those that came; all of them by the capacity.');
  for (const kind of values.only.split(',')) {
    const rows: string[][] = [];
    const server = await start(kind);
    const clients = new Flood(server.port);
    await clients.open();
    const measured = [];
    for (let second = 0; second < 4; second += 1) measured.push(await clients.capacity(1_000));
    const capacity = Math.max(...measured);
    rows.push([`${kind}: ${Math.round(capacity)} a second`, '', '', '', '', '']);
    for (const load of loads) {
      const seen = await clients.rush(capacity, load, milliseconds);
      const goodput = goodputOf(seen, milliseconds) / capacity;
      const parts = PRIORITIES.map((each) => percent(seen.served[each] / seen.came[each]));
      rows.push([`  ${load} times the capacity`, ...parts, percent(goodput), seconds(seen.calmAfter)]);
      const misses = seen.served.critical / seen.came.critical < 0.994 || goodput < 0.85 || seen.calmAfter > 10_000;
      if (kind === 'sluice' && misses) process.exitCode = 1;
    }
    const refused = await clients.pause(capacity);
    rows.push([`  a pause of 300 ms: ${refused} refused`, '', '', '', '', '']);
    if (kind === 'sluice' && refused > 0) process.exitCode = 1;
    clients.close();
    server.child.disconnect();
    await once(server.child, 'exit');
    // A run that is stopped has shown those before.
    console.log(table([['', ...PRIORITIES, 'goodput', 'calm after'], ...rows]));
  }
}

async function start(kind: string): Promise<{ readonly child: ChildProcess; readonly port: number }> {
  const execArgv = ['--import', join(root, 'test', 'tools', 'typescript.mjs')];
  const child = fork(join(root, 'test', 'overload', 'server.ts'), [kind], { execArgv });
  const [port] = (await once(child, 'message')) as [number];
  return { child, port };
}

function goodputOf({ served }: Seen, milliseconds: number): number {
  return (PRIORITIES.reduce((sum, each) => sum + served[each], 0) * 1_000) / milliseconds;
}

function percent(part: number): string {
  return `${(part * 100).toFixed(1)} %`;
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1_000).toFixed(1)} s`;
}
