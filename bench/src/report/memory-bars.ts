import { fastestPeer } from '../measure/row.js';
import { hasRow, NOT_MEASURED, rowNamed, toPeer, type Bar, type Found } from './bar.js';
import { tablesOf, type Report } from './report.js';

/** The memory store, and a limiter on it without HTTP. */
export function memoryBars(report: Report): readonly Bar[] {
  return [
    ...storeBars(report),
    ...limiterBars(report),
    ...addressBars(report),
    ...fullBars(report),
    ...addressBytes(report),
    outageBar(report),
  ];
}

function storeBars(report: Report): readonly Bar[] {
  const [table] = tablesOf(report, 'memory');
  const name = 'Sluice fixed-window, store';
  const heap = report.footprints.filter(({ where }) => where === 'heap');
  const fastest = table && fastestPeer(table.rows);
  const own = heap.find(({ contestant }) => contestant === name);
  const theirs = heap.find(({ contestant }) => contestant === fastest?.contestant);
  const bytes: Found = own && theirs ? { measured: own.bytes / theirs.bytes, beside: theirs.contestant } : NOT_MEASURED;
  const work = 'memory store: fixed-window';
  return [
    { work, measure: 'x fastest peer', sense: 'least', must: 1.5, aim: 2, ...toPeer(table, name) },
    { work, measure: 'heap a key, x fastest peer', sense: 'most', must: 0.5, ...bytes },
  ];
}

/** A whole check beside whole checks of peers. */
function limiterBars(report: Report): readonly Bar[] {
  const [table] = tablesOf(report, 'limiters');
  const bars = [
    ['hitlimit, limiter', 1, 1.5],
    ['rate-limiter-flexible, RateLimiterMemory', 1.5, 2],
  ] as const;
  // Not in the reports of runs before there was this part.
  if (table === undefined) return [];
  return bars.map(([peer, must, aim]) => {
    const [ours, theirs] = [rowNamed(table, 'Sluice fixed-window, limiter'), rowNamed(table, peer)];
    return {
      work: 'a limiter in memory, without HTTP',
      measure: 'checks a second of CPU, x peer',
      sense: 'least',
      must,
      aim,
      ...(ours && theirs ? { measured: theirs.cpuRatio / ours.cpuRatio, beside: peer } : NOT_MEASURED),
    };
  });
}

function addressBars(report: Report): readonly Bar[] {
  const [table] = tablesOf(report, 'addresses');
  const rows = [
    ['one tier', undefined],
    ['three tiers', 'Sluice, three tiers, 1 000 addresses'],
  ] as const;
  return rows.flatMap(([tiers, fewer]): Bar[] => {
    const name = `Sluice, ${tiers}, 50 000 addresses`;
    if (!hasRow(table, name)) return [];
    const [many, few] = [rowNamed(table, name), fewer === undefined ? { cpuRatio: 1 } : rowNamed(table, fewer)];
    return [
      {
        work: `a limiter in memory, ${tiers}, 50 000 addresses`,
        measure: 'CPU of a check, x with 1 000',
        sense: 'most',
        must: 1.5,
        aim: 1.2,
        ...(many && few ? { measured: many.cpuRatio / few.cpuRatio } : NOT_MEASURED),
      },
    ];
  });
}

/** Stores that hold two thirds of the addresses, which come one after the other. */
function fullBars(report: Report): readonly Bar[] {
  const [table] = tablesOf(report, 'addresses');
  const rows = [
    ['one tier', 'Sluice, one tier, 30 000 addresses', ', room for 20 000', 2.1, 1.5],
    ['three tiers', 'Sluice, three tiers, 50 000 addresses', ', room for 33 000', 2.6, 2],
  ] as const;
  return rows.flatMap(([tiers, roomy, room, must, aim]): Bar[] => {
    // Not in the reports of runs before there was this row.
    if (!hasRow(table, roomy + room)) return [];
    const [full, other] = [rowNamed(table, roomy + room), rowNamed(table, roomy)];
    const work = `a full store in memory, ${tiers}`;
    const found = full && other ? { measured: full.cpuRatio / other.cpuRatio } : NOT_MEASURED;
    return [{ work, measure: 'CPU of a check, x with room', sense: 'most', must, aim, ...found }];
  });
}

function addressBytes({ footprints }: Report): readonly Bar[] {
  const rows = [
    [1, 'one tier', 300, 221],
    [3, 'three tiers', 600, 400],
  ] as const;
  return rows.flatMap(([count, tiers, must, aim]): Bar[] => {
    const found = footprints.find(({ contestant }) => contestant === `Sluice, an address in ${count} tiers`);
    if (found === undefined) return [];
    const work = `an address in memory, ${tiers}`;
    return [{ work, measure: 'bytes', sense: 'most', must, aim, measured: Math.round(found.bytes) }];
  });
}

function outageBar(report: Report): Bar {
  const down = rowNamed(tablesOf(report, 'outage')[0], 'Sluice limiter, Redis down');
  const found = down ? { measured: down.cpuRatio } : NOT_MEASURED;
  return { work: 'Redis is down, one tier', measure: 'CPU of a check, x memory', sense: 'most', must: 1.5, ...found };
}

/** What overrides cost the clients that have none. */
export function overrideBars(report: Report): readonly Bar[] {
  const tables = tablesOf(report, 'overrides');
  const works = [
    ['Sluice limiter, memory', '10 000 overrides of other clients, memory'],
    ['Sluice fixed-window', '10 000 overrides of other clients, Redis, 64 in flight'],
  ] as const;
  // Not in the reports of runs before there was this part.
  if (tables.length === 0) return [];
  const bars = works.map(([name, work]): Bar => {
    const table = tables.find(({ rows }) => rows.some(({ contestant }) => contestant === name));
    const [plain, overridden] = [rowNamed(table, name), rowNamed(table, `${name}, 10 000 overrides`)];
    const found = plain && overridden ? { measured: overridden.cpuRatio / plain.cpuRatio } : NOT_MEASURED;
    return { work, measure: 'CPU of a check, x without', sense: 'most', must: 1.05, aim: 1, ...found };
  });
  const inMemory = tables.find(({ rows }) => rows.some(({ contestant }) => contestant === works[0][0]));
  const plain = rowNamed(inMemory, works[0][0]);
  const client = rowNamed(inMemory, 'Sluice limiter, memory, overridden clients');
  // Nor is this in the reports of runs before there was the row.
  if (plain === undefined || client === undefined) return bars;
  const measured = client.cpuRatio / plain.cpuRatio;
  const work = 'a client with an override, memory';
  return [...bars, { work, measure: 'CPU of a check, x without', sense: 'most', must: 1.5, measured }];
}

/** What metrics cost, and traces of which 1 % are sampled. */
export function observedBars(report: Report): readonly Bar[] {
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
