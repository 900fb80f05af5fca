import { contestants } from '../contestants/index.js';
import { httpContestants } from '../http/index.js';
import { counts, fastestPeer, type Row } from '../measure/row.js';
import type { Table } from '../parts/bench.js';
import { tablesOf, type Report } from './report.js';

/** A requirement, and the figure of a run. */
export interface Bar {
  readonly work: string;
  /** The compared work. */
  readonly measure: string;
  /** `least`: at least as much; `most`: at most. */
  readonly sense: 'least' | 'most';
  readonly must: number;
  readonly aim?: number;
  /** Undefined where the run did not measure it. */
  readonly measured: number | undefined;
  /** The contestant of the comparison. */
  readonly beside?: string | undefined;
  /** The reason for a missing figure. */
  readonly missing?: 'not measured' | 'not there yet';
}

type Found = Pick<Bar, 'measured' | 'missing' | 'beside'>;

const NOT_MEASURED: Found = { measured: undefined, missing: 'not measured' };
const NOT_THERE: Found = { measured: undefined, missing: 'not there yet' };

export function barsOf(report: Report): readonly Bar[] {
  return [
    ...redisBars(report),
    ...formBars(report),
    ...leaseBars(report),
    ...lightBars(report),
    ...costBars(report),
    ...memoryBars(report),
    outageBar(report),
    ...observedBars(report),
    ...permitBars(report),
    ...httpBars(report),
    ...coldBars(report),
  ];
}

function redisBars(report: Report): readonly Bar[] {
  const times = { measure: 'x the fastest peer', sense: 'least' } as const;
  const uniform = (name: string) => worst([64, 256].map((inFlight) => toPeer(cell(report, 'uniform', inFlight), name)));
  const tiers = tablesOf(report, 'tiers').find(({ inFlight }) => inFlight === 64);
  const hot = cell(report, 'hot', 64);
  return [
    {
      ...times,
      work: 'one tier, uniform, 64 and 256 in flight: fixed-window',
      must: 2.5,
      aim: 3.5,
      ...uniform('Sluice fixed-window'),
    },
    ...['token-bucket', 'sliding-window'].map((algorithm) => ({
      ...times,
      work: `the same: ${algorithm}`,
      must: 2,
      aim: 2.5,
      ...uniform(`Sluice ${algorithm}`),
    })),
    {
      ...times,
      work: 'three tiers, all or nothing, 64 in flight: fixed-window',
      must: 3.3,
      aim: 4,
      ...toPeer(tiers, 'Sluice fixed-window, three tiers'),
    },
    { ...times, work: 'one hot key, 64 in flight, no lease', must: 5, aim: 8, ...toPeer(hot, 'Sluice fixed-window') },
    ...attackBars(report),
    {
      ...times,
      work: 'one hot key, 64 in flight, lease',
      must: 8,
      aim: 10,
      ...toPeer(hot, 'Sluice fixed-window, lease'),
    },
  ];
}

function attackBars(report: Report): readonly Bar[] {
  const table = cell(report, 'attack', 64);
  const row = rowNamed(table, 'Sluice fixed-window');
  const cached = row !== undefined && row.fromProcess > 0;
  const blocking = contestants.filter(({ blocksInProcess }) => blocksInProcess).map(({ name }) => name);
  const fastest = fastestPeer(table?.rows.filter(({ contestant }) => blocking.includes(contestant)) ?? []);
  const found = (measured: number | undefined, beside?: string): Found => {
    if (row === undefined || measured === undefined) return NOT_MEASURED;
    return cached ? { measured, beside } : NOT_THERE;
  };
  const work = 'attack, 90 % denied, 64 in flight, deny cache on';
  return [
    {
      work,
      measure: 'x the fastest peer that blocks in process',
      sense: 'least',
      must: 3,
      aim: 4,
      ...found(fastest && row ? row.ratio / fastest.ratio : undefined, fastest?.contestant),
    },
    { work, measure: 'x the bare EVALSHA', sense: 'least', must: 6, ...found(row?.ratio) },
  ];
}

/** States of many numbers. */
function formBars(report: Report): readonly Bar[] {
  const bars = [
    ['sliding-window, strict', 0.8],
    ['sliding-window-log', 1],
    ['multi-window', 1],
  ] as const;
  return bars.map(([name, must]) => ({
    work: `one tier, uniform, 64 in flight: ${name}`,
    measure: 'x the fastest peer',
    sense: 'least',
    must,
    aim: 1.2,
    ...toPeer(cell(report, 'uniform', 64), `Sluice ${name}`),
  }));
}

/** A lease must not slow the keys that it does not serve. */
function leaseBars(report: Report): readonly Bar[] {
  return (['uniform', 'attack'] as const).map((workload) => {
    const table = cell(report, workload, 64);
    const leased = rowNamed(table, 'Sluice fixed-window, lease');
    const plain = rowNamed(table, 'Sluice fixed-window');
    return {
      work: `one tier, ${workload}, 64 in flight, lease`,
      measure: 'x without a lease',
      sense: 'least',
      must: 0.95,
      aim: 1,
      ...(leased && plain ? { measured: leased.ratio / plain.ratio } : NOT_MEASURED),
    };
  });
}

/** All contestants in one process. */
function lightBars(report: Report): readonly Bar[] {
  const tableOf = (discipline: string, inFlight: number) =>
    tablesOf(report, 'light').find((table) => table.workload === discipline && table.inFlight === inFlight);
  const p50 = { measure: "p50, x the fastest peer's", sense: 'most' } as const;
  const one = 'Sluice fixed-window';
  const three = 'Sluice fixed-window, three tiers';
  return [
    {
      ...p50,
      work: 'one process for all, one tier, one check in flight',
      must: 1.05,
      aim: 1,
      ...toLeast(tableOf('one-tier', 1), 'p50Ratio', one),
    },
    {
      ...p50,
      work: 'one process for all, three tiers, one check in flight',
      must: 0.9,
      aim: 0.75,
      ...toLeast(tableOf('three-tiers', 1), 'p50Ratio', three),
    },
    ...['fixed-window', 'sliding-window', 'token-bucket'].map((algorithm) => ({
      work: `one process for all, one tier, 16 in flight: ${algorithm}`,
      measure: 'x the fastest peer',
      sense: 'least' as const,
      must: 1.8,
      aim: 2.2,
      ...toPeer(tableOf('one-tier', 16), `Sluice ${algorithm}`),
    })),
  ];
}

function costBars(report: Report): readonly Bar[] {
  const alone = cell(report, 'uniform', 1);
  const busy = cell(report, 'uniform', 64);
  return [
    {
      work: 'one tier, uniform, one check in flight: fixed-window',
      measure: "p50, x the fastest peer's",
      sense: 'most',
      must: 1.15,
      aim: 1,
      ...toLeast(alone, 'p50Ratio'),
    },
    {
      work: 'one tier, uniform, 64 in flight: fixed-window',
      measure: "CPU of Redis a check, x the fastest peer's",
      sense: 'most',
      must: 0.6,
      aim: 0.4,
      ...toFastest(busy, 'redisCpuRatio'),
    },
  ];
}

function memoryBars(report: Report): readonly Bar[] {
  const [table] = tablesOf(report, 'memory');
  const name = 'Sluice fixed-window, store';
  const heap = report.footprints.filter(({ where }) => where === 'heap');
  const fastest = table && fastestPeer(table.rows);
  const own = heap.find(({ contestant }) => contestant === name);
  const theirs = heap.find(({ contestant }) => contestant === fastest?.contestant);
  const bytes: Found = own && theirs ? { measured: own.bytes / theirs.bytes, beside: theirs.contestant } : NOT_MEASURED;
  const work = 'memory store, one tier, at store level: fixed-window';
  return [
    { work, measure: 'x the fastest peer', sense: 'least', must: 1.5, aim: 2, ...toPeer(table, name) },
    { work, measure: "heap a key, x the fastest peer's", sense: 'most', must: 0.5, ...bytes },
  ];
}

function outageBar(report: Report): Bar {
  const down = rowNamed(tablesOf(report, 'outage')[0], 'Sluice limiter, Redis down');
  const found = down ? { measured: down.cpuRatio } : NOT_MEASURED;
  return { work: 'Redis is down, one tier', measure: 'CPU of a check, x memory', sense: 'most', must: 1.5, ...found };
}

/** What metrics cost, and traces of which 1 % are sampled. */
function observedBars(report: Report): readonly Bar[] {
  const works = [
    ['Sluice limiter, memory', 'metrics', 'metrics counted, memory'],
    ['Sluice fixed-window', 'metrics', 'metrics counted, Redis, 64 in flight'],
    ['Sluice limiter, memory, in spans', 'traces', 'traces, 1 % sampled, memory'],
    ['Sluice fixed-window, in spans', 'traces', 'traces, 1 % sampled, Redis, 64 in flight'],
  ] as const;
  return works.map(([name, added, work]) => {
    const table = tablesOf(report, 'observed').find(({ rows }) => rows.some(({ contestant }) => contestant === name));
    const [plain, observed] = [rowNamed(table, name), rowNamed(table, `${name}, ${added}`)];
    const found = plain && observed ? { measured: observed.ratio / plain.ratio } : NOT_MEASURED;
    return { work, measure: 'x without', sense: 'least', must: 0.97, aim: 1, ...found };
  });
}

/** The permit of a running request: what it adds to a rate, and beside peers that know nothing but permits. */
function permitBars(report: Report): readonly Bar[] {
  // Not in the reports of runs before there were permits.
  if (tablesOf(report, 'permits').length === 0) return [];
  const tableOf = (inFlight: number) => tablesOf(report, 'permits').find((table) => table.inFlight === inFlight);
  const [alone, busy] = [tableOf(1), tableOf(32)];
  const [rate, permit] = [rowNamed(alone, 'Sluice fixed-window'), rowNamed(alone, 'Sluice concurrency')];
  const both = rowNamed(alone, 'Sluice fixed-window and concurrency');
  const full = rowNamed(tableOf(128), 'Sluice concurrency');
  return [
    {
      work: 'a permit alone, one check in flight',
      measure: "p50, x a rate's",
      sense: 'most',
      must: 1.15,
      ...(rate && permit ? { measured: permit.p50Ratio / rate.p50Ratio } : NOT_MEASURED),
    },
    {
      work: 'a rate and a permit, one check in flight',
      measure: 'p50, x the rate alone',
      sense: 'most',
      must: 1.15,
      ...(rate && both ? { measured: both.p50Ratio / rate.p50Ratio } : NOT_MEASURED),
    },
    {
      work: 'a permit taken and released, 32 a call',
      measure: 'time of scripts, µs',
      sense: 'most',
      must: 1.5,
      ...(full ? { measured: full.scriptTime } : NOT_MEASURED),
    },
    {
      work: 'permits taken and released, 32 in flight',
      measure: 'x the fastest peer',
      sense: 'least',
      must: 1,
      ...toPeer(busy, 'Sluice concurrency'),
    },
  ];
}

function httpBars(report: Report): readonly Bar[] {
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
  const added = (framework: string, store: 'memory' | 'Redis', [must, aim]: readonly [number, number]): Bar => {
    // Without sockets in memory: the turns of whole servers spread by more than what a limit adds.
    const measured = store === 'memory' ? tablesOf(report, 'unsent') : tables;
    const table = measured.find(({ title }) => title.includes(framework));
    const row = rowNamed(table, `Sluice, ${store}`);
    const peer = leastAdded(table, store);
    const found = row?.addedUserCpu !== undefined && peer ? row.addedUserCpu / peer.addedUserCpu! : undefined;
    const of = { measure: "added user CPU, x the best peer's", sense: 'most', must, aim } as const;
    const compared: Found = found === undefined ? NOT_MEASURED : { measured: found, beside: peer!.contestant };
    return { work: workOf(framework, `Sluice, ${store}`), ...of, ...compared };
  };
  return [
    bar('Express', 'Sluice, Redis', [0.75, 0.8]),
    added('Express', 'Redis', [0.7, 0.5]),
    bar('Fastify', 'Sluice, Redis', [0.55, 0.62]),
    added('Fastify', 'Redis', [0.7, 0.5]),
    bar('Express', 'Sluice, Redis, denied', [1, 1.1]),
    bar('Fastify', 'Sluice, Redis, denied', [0.85, 0.95]),
    bar('Express', 'Sluice, memory', [0.85, 0.92]),
    added('Express', 'memory', [0.6, 0.4]),
    bar('Fastify', 'Sluice, memory', [0.9, 0.97]),
    added('Fastify', 'memory', [0.7, 0.5]),
  ];
}

function coldBars(report: Report): readonly Bar[] {
  const table = (on: string) => tablesOf(report, 'cold').find(({ title }) => title.includes(on));
  const bar = (on: string, name: string): Bar => {
    const work = `cold, the first requests of a process: ${on}`;
    return { work, measure: 'x the fastest peer', sense: 'least', must: 1, ...toPeer(table(on), name) };
  };
  const redis = table('Fastify, Redis');
  const theirs = rowNamed(redis, '@fastify/rate-limit, Redis');
  const ours = rowNamed(redis, 'Sluice, Redis');
  const start: Found =
    ours?.startRatio !== undefined && theirs?.startRatio !== undefined
      ? { measured: ours.startRatio / theirs.startRatio, beside: theirs.contestant }
      : NOT_MEASURED;
  return [
    bar('Fastify, memory', 'Sluice, memory'),
    bar('Fastify, Redis', 'Sluice, Redis'),
    bar('Express, memory', 'Sluice, memory'),
    {
      work: 'from the load of the code to listening: Fastify, Redis',
      measure: "time, x the peer's",
      sense: 'most',
      must: 1.1,
      aim: 1,
      ...start,
    },
  ];
}

/** The peer on this store that adds least to the bare server. */
function leastAdded(table: Table | undefined, store: 'memory' | 'Redis'): Row | undefined {
  const entered = httpContestants.filter((each) => each.store === store.toLowerCase() && !each.denied);
  const names = new Set(entered.map(({ name }) => name));
  const peers = table?.rows.filter((row) => row.kind === 'peer' && names.has(row.contestant) && counts(row)) ?? [];
  const measured = peers.filter(({ addedUserCpu }) => addedUserCpu !== undefined);
  return measured.toSorted((one, other) => one.addedUserCpu! - other.addedUserCpu!)[0];
}

function cell(report: Report, workload: string, inFlight: number): Table | undefined {
  return tablesOf(report, 'redis').find((table) => table.workload === workload && table.inFlight === inFlight);
}

function rowNamed(table: Table | undefined, name: string): Row | undefined {
  const row = table?.rows.find(({ contestant }) => contestant === name);
  return row && counts(row) ? row : undefined;
}

function toPeer(table: Table | undefined, name: string): Found {
  const measured = rowNamed(table, name)?.toFastestPeer;
  return measured === undefined ? NOT_MEASURED : { measured, beside: table && fastestPeer(table.rows)?.contestant };
}

/** Against the peer with the lowest. */
function toLeast(table: Table | undefined, of: 'p50Ratio', name = 'Sluice fixed-window'): Found {
  const row = rowNamed(table, name);
  const peers = table?.rows.filter((each) => each.kind === 'peer' && counts(each)) ?? [];
  const [least] = peers.toSorted((one, other) => one[of] - other[of]);
  return row && least ? { measured: row[of] / least[of], beside: least.contestant } : NOT_MEASURED;
}

/** Against the peer that is ahead of the other peers. */
function toFastest(table: Table | undefined, of: 'redisCpuRatio'): Found {
  const row = rowNamed(table, 'Sluice fixed-window');
  const peer = table && fastestPeer(table.rows);
  return row && peer ? { measured: row[of] / peer[of], beside: peer.contestant } : NOT_MEASURED;
}

function worst(all: readonly Found[]): Found {
  if (all.some(({ measured }) => measured === undefined)) return NOT_MEASURED;
  return all.toSorted((one, other) => one.measured! - other.measured!)[0] ?? NOT_MEASURED;
}

/** Whether a bar is met; undefined where nothing was measured. */
export function isMet({ sense, must, measured }: Bar): boolean | undefined {
  if (measured === undefined) return undefined;
  return sense === 'least' ? measured >= must : measured <= must;
}

/** How far it is from what it must be, as a part of that; above 0 where it is not met. */
export function gapOf({ sense, must, measured = NaN }: Bar): number {
  return sense === 'least' ? 1 - measured / must : measured / must - 1;
}

/** Whether even its aim is. */
export function isAimed({ sense, aim, measured }: Bar): boolean {
  if (measured === undefined || aim === undefined) return false;
  return sense === 'least' ? measured >= aim : measured <= aim;
}
