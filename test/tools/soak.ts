import { parseArgs } from 'node:util';
import { guidedClient } from '../support/guided-clients.js';
import { soak, type Bout, type SoakReport } from '../resilience/soak/soak.js';
import { trendOf, type Sample } from '../resilience/soak/samples.js';
import { brokenBy } from '../resilience/soak/verdict.js';
import { boundOf } from '../resilience/faults/verdict.js';
import { table } from './table.js';

// npm run tool -- soak [minutes, default 10] [seed] [--client ioredis | iovalkey | node-redis]
// Runs random faults of a real server, one after the other, under steady traffic, and samples resources after each. Exits
// with 1 if a bound is broken.

const MEGABYTE = 2 ** 20;

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { client: { type: 'string' } } });
  const [minutes = '10', seed = String(Math.floor(Math.random() * 2 ** 32))] = positionals;
  if (!(Number(minutes) > 0) || !Number.isSafeInteger(Number(seed)))
    throw new Error('npm run tool -- soak [minutes] [seed]');
  const client = values.client === undefined ? undefined : guidedClient(values.client);
  // The faults cause these warnings.
  process.removeAllListeners('warning');
  console.log(`A soak of ${minutes} minutes, seed ${seed}, client ${values.client ?? 'of the store'}`);
  const report = await soak({ lasts: Number(minutes) * 60_000, seed: Number(seed), client, onBout: progress });
  console.log(`\n${table([FAULTS.map(([head]) => head), ...byFault(report).map(row)])}`);
  console.log(
    `\n${table([['', 'before', 'least', 'most', 'first quarter', 'last quarter', 'an hour'], ...trends(report)])}`,
  );
  const broken = brokenBy(report);
  for (const each of broken) console.log(`BROKEN: ${each}`);
  console.log(
    `\n${report.bouts.length} faults, ${broken.length === 0 ? 'and no bound is broken' : `${broken.length} bounds are broken`}`,
  );
  process.exitCode = broken.length === 0 ? 0 : 1;
}

function progress({ fault, lasted, longest, lag, recovery, sample }: Bout): void {
  const { at, heap, keys, timers, handles } = sample;
  const minute = `${Math.floor(at / 60_000)}:${String(Math.floor(at / 1_000) % 60).padStart(2, '0')}`;
  console.log(
    `${minute} ${fault.name} for ${lasted} ms: longest ${longest.toFixed(0)} ms, lag ${lag.toFixed(0)} ms, recovered in ${recovery.toFixed(0)} ms; heap ${megabytes(heap)} MB, ${keys} keys, ${timers} timers, ${handles} handles`,
  );
}

function byFault({ bouts }: SoakReport): (readonly Bout[])[] {
  const names = [...new Set(bouts.map(({ fault }) => fault.name))].toSorted();
  return names.map((name) => bouts.filter(({ fault }) => fault.name === name));
}

/**
 * Times are in milliseconds: the longest decision, how far it exceeded its bound (the deadline, 25 ms and the lag of the
 * event loop; negative if it did not), and the slowest recovery.
 */
const FAULTS: readonly (readonly [head: string, value: (bouts: readonly Bout[]) => string | number])[] = [
  ['fault', ([bout]) => bout!.fault.name],
  ['times', (bouts) => bouts.length],
  ['longest', (bouts) => most(bouts, ({ longest }) => longest).toFixed(1)],
  ['beyond', (bouts) => most(bouts, (bout) => bout.longest - boundOf(bout)).toFixed(1)],
  ['recovery', (bouts) => most(bouts, ({ recovery }) => recovery).toFixed(0)],
  ['redis', (bouts) => sum(bouts, ({ decidedBy }) => decidedBy.redis)],
  ['local', (bouts) => sum(bouts, ({ decidedBy }) => decidedBy.local)],
  ['allow', (bouts) => sum(bouts, ({ decidedBy }) => decidedBy.allow)],
  ['deny', (bouts) => sum(bouts, ({ decidedBy }) => decidedBy.deny)],
  ['rejected', (bouts) => sum(bouts, ({ rejections }) => rejections.length)],
  ['ghosts', (bouts) => sum(bouts, ({ ghosts }) => ghosts)],
];

function row(bouts: readonly Bout[]): (string | number)[] {
  return FAULTS.map(([, value]) => value(bouts));
}

function trends({ before, bouts }: SoakReport): (string | number)[][] {
  const samples = bouts.map(({ sample }) => sample);
  const line = (name: string, what: Exclude<keyof Sample, 'at'>, show: (value: number) => string | number) => {
    const { first, last, least, most: highest, slope } = trendOf(samples, what);
    return [name, ...[before[what], least, highest, first, last].map(show), `${slope > 0 ? '+' : ''}${show(slope)}`];
  };
  const count = (value: number) => Number(value.toFixed(1));
  return [
    line('heap, MB', 'heap', megabytes),
    line('keys', 'keys', count),
    line('timers', 'timers', count),
    line('handles', 'handles', count),
  ];
}

function megabytes(bytes: number): string {
  return (bytes / MEGABYTE).toFixed(2);
}

function most(bouts: readonly Bout[], of: (bout: Bout) => number): number {
  return Math.max(...bouts.map(of));
}

function sum(bouts: readonly Bout[], of: (bout: Bout) => number): number {
  return bouts.reduce((total, bout) => total + of(bout), 0);
}

await main();
