import { contestants } from '../contestants/index.js';
import { fastestPeer } from '../measure/row.js';
import type { Table } from '../parts/bench.js';
import { NOT_MEASURED, NOT_THERE, rowNamed, toFastest, toLeast, toPeer, type Bar, type Found } from './bar.js';
import { tablesOf, type Report } from './report.js';

/** Checks in flight, and times the fastest peer: at least, and better. */
const UNIFORM = [
  [16, 'fixed-window', 2.4, 2.8],
  [64, 'fixed-window', 4.5, 5.5],
  [64, 'sliding-window', 4.5, 5.5],
  [64, 'token-bucket', 3.8, 5.5],
  [256, 'fixed-window', 2.5, 3.5],
  [256, 'sliding-window', 2, 2.5],
  [256, 'token-bucket', 2, 2.5],
] as const;

/** Checks of one Redis. */
export function redisBars(report: Report): readonly Bar[] {
  return [
    ...storeBars(report),
    ...formBars(report),
    ...leaseBars(report),
    ...lightBars(report),
    ...costBars(report),
    ...scriptBars(report),
  ];
}

function storeBars(report: Report): readonly Bar[] {
  const times = { measure: 'x fastest peer', sense: 'least' } as const;
  const tiers = tablesOf(report, 'tiers').find(({ inFlight }) => inFlight === 64);
  const hot = cell(report, 'hot', 64);
  return [
    ...UNIFORM.map(([inFlight, algorithm, must, aim]) => ({
      ...times,
      work: `uniform, ${inFlight} in flight: ${algorithm}`,
      must,
      aim,
      ...toPeer(cell(report, 'uniform', inFlight), `Sluice ${algorithm}`),
    })),
    {
      ...times,
      work: 'three tiers, 64 in flight: fixed-window',
      must: 6,
      aim: 8,
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
  const work = 'attack, 64 in flight, deny cache on';
  return [
    {
      work,
      measure: 'x fastest peer that blocks in process',
      sense: 'least',
      must: 4,
      aim: 5,
      ...found(fastest && row ? row.ratio / fastest.ratio : undefined, fastest?.contestant),
    },
    { work, measure: 'x reference', sense: 'least', must: 6, ...found(row?.ratio) },
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
    work: `uniform, 64 in flight: ${name}`,
    measure: 'x fastest peer',
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
      work: `${workload}, 64 in flight, lease`,
      measure: 'x without a lease',
      sense: 'least',
      must: 0.97,
      aim: 1,
      ...(leased && plain ? { measured: leased.ratio / plain.ratio } : NOT_MEASURED),
    };
  });
}

/** All contestants in one process. */
function lightBars(report: Report): readonly Bar[] {
  const tableOf = (discipline: string, inFlight: number) =>
    tablesOf(report, 'light').find((table) => table.workload === discipline && table.inFlight === inFlight);
  const p50 = { measure: 'p50, x fastest peer', sense: 'most' } as const;
  const one = 'Sluice fixed-window';
  const three = 'Sluice fixed-window, three tiers';
  return [
    {
      ...p50,
      work: 'one process, one tier, one check in flight',
      must: 1,
      aim: 0.97,
      ...toLeast(tableOf('one-tier', 1), 'p50Ratio', one),
    },
    {
      ...p50,
      work: 'one process, three tiers, one check in flight',
      must: 0.7,
      aim: 0.6,
      ...toLeast(tableOf('three-tiers', 1), 'p50Ratio', three),
    },
    ...['fixed-window', 'sliding-window', 'token-bucket'].map((algorithm) => ({
      work: `one process, one tier, 16 in flight: ${algorithm}`,
      measure: 'x fastest peer',
      sense: 'least' as const,
      must: 2.4,
      aim: 2.8,
      ...toPeer(tableOf('one-tier', 16), `Sluice ${algorithm}`),
    })),
  ];
}

function costBars(report: Report): readonly Bar[] {
  const alone = cell(report, 'uniform', 1);
  const busy = cell(report, 'uniform', 64);
  return [
    {
      work: 'uniform, one check in flight: fixed-window',
      measure: 'p50, x fastest peer',
      sense: 'most',
      must: 1,
      aim: 0.97,
      ...toLeast(alone, 'p50Ratio'),
    },
    {
      work: 'uniform, 64 in flight: fixed-window',
      measure: 'Redis CPU, x fastest peer',
      sense: 'most',
      must: 0.6,
      aim: 0.4,
      ...toFastest(busy, 'redisCpuRatio'),
    },
  ];
}

/** CPU of Redis, by the checks in a call. */
function scriptBars(report: Report): readonly Bar[] {
  const [table] = tablesOf(report, 'scripts');
  // Not in the reports of runs before there was this part.
  if (table === undefined) return [];
  const bars = [
    ['fixed-window, 1 a call', 1.7],
    ['fixed-window, 32 a call', 0.4],
    ['fixed-window, three tiers, 1 a call', 2.7],
  ] as const;
  return bars.map(([name, must]) => ({
    work: `scripts: ${name}`,
    measure: 'Redis CPU, x reference',
    sense: 'most',
    must,
    ...foundOrNot(rowNamed(table, `Sluice ${name}`)?.redisCpuRatio),
  }));
}

function foundOrNot(measured: number | undefined): Found {
  return measured === undefined ? NOT_MEASURED : { measured };
}

/** The permit of a running request: what it adds to a rate, and beside peers that know nothing but permits. */
export function permitBars(report: Report): readonly Bar[] {
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
      must: 1.2,
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
      measure: 'x fastest peer',
      sense: 'least',
      must: 1,
      ...toPeer(busy, 'Sluice concurrency'),
    },
  ];
}

function cell(report: Report, workload: string, inFlight: number): Table | undefined {
  return tablesOf(report, 'redis').find((table) => table.workload === workload && table.inFlight === inFlight);
}
