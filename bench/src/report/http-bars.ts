import { httpContestants } from '../http/index.js';
import { counts, type Row } from '../measure/row.js';
import type { Table } from '../parts/bench.js';
import { hasRow, NOT_MEASURED, NOT_THERE, rowNamed, toPeer, type Bar, type Found } from './bar.js';
import { tablesOf, type Report } from './report.js';

/** Servers with clients, servers without sockets, processes that have just started. */
export function httpBars(report: Report): readonly Bar[] {
  return [...serverBars(report), ...unsentBars(report), ...coldBars(report), ...importBars(report)];
}

function serverBars(report: Report): readonly Bar[] {
  const tables = tablesOf(report, 'http');
  const works = { 'Sluice, Redis': 'Redis store, allowed', 'Sluice, memory': 'memory store, allowed' } as const;
  const workOf = (framework: string, name: string) =>
    `HTTP, ${framework}: ${works[name as keyof typeof works] ?? 'Redis store, denied, deny cache on'}`;
  const bar = (framework: string, name: string, [must, aim]: readonly [number, number]): Bar => {
    const table = tables.find(({ title }) => title.includes(framework));
    const row = rowNamed(table, name);
    const work = workOf(framework, name);
    // A denied client costs one call a minute, an admitted one a call each time.
    const admitted = rowNamed(table, 'Sluice, Redis')?.bytesIn ?? Infinity;
    const there = name !== 'Sluice, Redis, denied' || row === undefined || row.bytesIn < admitted / 4;
    const found: Found = row && counts(row) ? (there ? { measured: row.ratio } : NOT_THERE) : NOT_MEASURED;
    return { work, measure: 'x bare', sense: 'least', must, aim, ...found };
  };
  const added = (framework: string, [must, aim]: readonly [number, number]): Bar => {
    const table = tables.find(({ title }) => title.includes(framework));
    const row = rowNamed(table, 'Sluice, Redis');
    const peer = leastAdded(table, 'redis', 'addedUserCpu');
    const found = row?.addedUserCpu !== undefined && peer ? row.addedUserCpu / peer.addedUserCpu! : undefined;
    const of = { measure: 'added user CPU, x best peer', sense: 'most', must, aim } as const;
    const result: Found = found === undefined ? NOT_MEASURED : { measured: found, beside: peer!.contestant };
    return { work: workOf(framework, 'Sluice, Redis'), ...of, ...result };
  };
  return [
    bar('Express', 'Sluice, Redis', [0.75, 0.8]),
    added('Express', [0.7, 0.5]),
    bar('Fastify', 'Sluice, Redis', [0.55, 0.62]),
    added('Fastify', [0.7, 0.5]),
    bar('Express', 'Sluice, Redis, denied', [1, 1.1]),
    bar('Fastify', 'Sluice, Redis, denied', [0.85, 0.95]),
    bar('Express', 'Sluice, memory', [0.85, 0.92]),
    bar('Fastify', 'Sluice, memory', [0.9, 0.97]),
  ];
}

/** What a limit adds to a request, beside what another one adds. */
interface Addition {
  readonly work: string;
  readonly on: string;
  readonly name: string;
  readonly beside: string;
  readonly must: number;
  readonly aim: number;
}

const ONE = 'Sluice, memory';
const FASTIFY = '@fastify/rate-limit, memory';
const FLEXIBLE = 'rate-limiter-flexible, memory';
const three = (windows: string) => ({ on: 'Fastify', name: `${ONE}, three ${windows} windows` });
const denied = { work: 'denied', name: `${ONE}, denied` };

const ADDITIONS: readonly Addition[] = [
  { work: 'one tier', on: 'Fastify', name: ONE, beside: FASTIFY, must: 1, aim: 0.85 },
  { work: 'three tiers', ...three('fixed'), beside: ONE, must: 1.4, aim: 1.2 },
  { work: 'three tiers', ...three('fixed'), beside: FASTIFY, must: 1.2, aim: 0.9 },
  { work: 'three tiers that slide', ...three('sliding'), beside: `${ONE}, sliding-window`, must: 1.4, aim: 1.2 },
  { work: 'three tiers that slide', ...three('sliding'), beside: FASTIFY, must: 1.2, aim: 0.9 },
  { work: 'one tier', on: 'Express', name: ONE, beside: FLEXIBLE, must: 1, aim: 0.85 },
  { work: 'one tier', on: 'Express', name: ONE, beside: 'express-rate-limit, memory', must: 0.45, aim: 0.35 },
  { ...denied, on: 'Fastify', beside: `${FASTIFY}, denied`, must: 0.5, aim: 0.35 },
  { ...denied, on: 'Express', beside: `${FLEXIBLE}, denied`, must: 1.5, aim: 1.2 },
];

function unsentBars(report: Report): readonly Bar[] {
  const tables = tablesOf(report, 'unsent');
  return ADDITIONS.flatMap(({ work, on, name, beside, must, aim }): Bar[] => {
    const table = tables.find(({ title, rows }) => title.includes(on) && rows.some((row) => row.contestant === name));
    // Not in the reports of runs before there were these rows.
    if (!hasRow(table, name)) return [];
    const [ours, theirs] = [rowNamed(table, name), rowNamed(table, beside)];
    const found: Found = ours && theirs ? ratioTo(addedOf(ours), theirs) : NOT_MEASURED;
    return [{ work: `without sockets, ${on}: ${work}`, measure: ADDED, sense: 'most', must, aim, ...found }];
  });
}

const ADDED = 'x added CPU';

/** What a peer adds may be less than the noise of a short run. */
function ratioTo(added: number, peer: Row): Found {
  const beside = peer.contestant;
  return addedOf(peer) > 0 ? { measured: added / addedOf(peer), beside } : { ...NOT_MEASURED, beside };
}

/** Earlier runs have the CPU in user mode, which is nearly all of it. */
function addedOf({ addedCpu, addedUserCpu = NaN }: Row): number {
  return addedCpu ?? addedUserCpu;
}

function coldBars(report: Report): readonly Bar[] {
  const table = (on: string) => tablesOf(report, 'cold').find(({ title }) => title.includes(on));
  const work = (on: string) => `cold: ${on}`;
  const added = (on: string, must: number, aim: number): Bar[] => {
    const rows = table(on);
    const ours = rowNamed(rows, 'Sluice, memory');
    const peer = leastAdded(rows, 'memory', 'addedCpu');
    // Earlier runs sent these requests over sockets.
    if (rows?.rows.every(({ addedCpu }) => addedCpu === undefined) ?? true) return [];
    const found = ours && peer ? ratioTo(ours.addedCpu!, peer) : NOT_MEASURED;
    return [{ work: work(on), measure: 'added CPU, x best peer', sense: 'most', must, aim, ...found }];
  };
  const redis = table('Fastify, Redis');
  const theirs = rowNamed(redis, '@fastify/rate-limit, Redis');
  const ours = rowNamed(redis, 'Sluice, Redis');
  const start: Found =
    ours?.startRatio !== undefined && theirs?.startRatio !== undefined
      ? { measured: ours.startRatio / theirs.startRatio, beside: theirs.contestant }
      : NOT_MEASURED;
  return [
    ...added('Fastify, memory', 1.5, 1.1),
    ...added('Express, memory', 1.2, 1),
    {
      work: work('Fastify, Redis'),
      measure: 'x fastest peer',
      sense: 'least',
      must: 1,
      ...toPeer(redis, 'Sluice, Redis'),
    },
    {
      work: 'start until it listens: Fastify, Redis',
      measure: 'time, x peer',
      sense: 'most',
      must: 1.1,
      aim: 1,
      ...start,
    },
  ];
}

function importBars(report: Report): readonly Bar[] {
  const [table] = tablesOf(report, 'imports');
  if (table === undefined) return [];
  const row = rowNamed(table, '@sluice/express');
  const found = row ? { measured: row.cpuRatio, beside: table.reference } : NOT_MEASURED;
  return [
    { work: 'import of @sluice/express', measure: 'CPU, x peer', sense: 'most', must: 1, aim: 0.8, ...found },
    ...honoBars(table),
  ];
}

function honoBars(table: Table): readonly Bar[] {
  const [ours, theirs] = ['@sluice/hono', 'hono-rate-limiter'].map((name) => rowNamed(table, name));
  // Not in the reports of runs before there were these rows.
  if (!ours || !theirs) return [];
  const found = { measured: ours.cpu / theirs.cpu, beside: theirs.contestant };
  return [{ work: 'import of @sluice/hono', measure: 'CPU, x peer', sense: 'most', must: 1, ...found }];
}

/** The peer on this store that adds least to the bare server. */
function leastAdded(
  table: Table | undefined,
  store: 'memory' | 'redis',
  of: 'addedUserCpu' | 'addedCpu',
): Row | undefined {
  const entered = httpContestants.filter((each) => each.store === store && !each.denied);
  const names = new Set(entered.map(({ name }) => name));
  const peers = table?.rows.filter((row) => row.kind === 'peer' && names.has(row.contestant) && counts(row)) ?? [];
  const measured = peers.filter((row) => row[of] !== undefined);
  return measured.toSorted((one, other) => one[of]! - other[of]!)[0];
}
