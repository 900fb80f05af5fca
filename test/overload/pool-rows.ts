import { sumOf } from './flood.js';
import { CAPACITY, PoolSite, quantileOf } from './pool-site.js';
import type { PoolServerName } from './pool-terms.js';
import { PRIORITIES } from './terms.js';

export interface PoolRowOptions {
  readonly loads: readonly number[];
  readonly seconds: number;
  /** Requests in flight that `limit` is tried with: its rows are those of the best. */
  readonly limits: readonly number[];
}

const percent = (part: number, of: number) => (of === 0 ? '–' : `${((100 * part) / of).toFixed(1)} %`);

export const POOL_HEAD = [
  'load',
  'critical',
  'normal',
  'sheddable',
  'of the capacity',
  'refused/s',
  'p99',
  'calm after',
  'free',
];

interface PoolRow {
  readonly served: number;
  readonly cells: readonly string[];
}

/** What a server gives whose requests wait for ten connections of a real Postgres, in rows of text. */
export async function poolRows(name: PoolServerName, { loads, seconds, limits }: PoolRowOptions) {
  const sizes = name === 'limit' ? limits : limits.slice(0, 1);
  const tried = new Map<number, readonly PoolRow[]>();
  for (const limit of sizes) {
    const site = await PoolSite.start(name, limit);
    const rows: PoolRow[] = [];
    for (const load of loads) rows.push(await rowOf(site, load, seconds));
    tried.set(limit, rows);
    await site.stop();
  }
  return loads.map((_, index) => {
    const [size, best] = [...tried]
      .map(([limit, rows]) => [limit, rows[index]!] as const)
      .reduce((one, other) => (other[1].served > one[1].served ? other : one));
    return name === 'limit' ? [`${best.cells[0]}, ${size} in flight`, ...best.cells.slice(1)] : best.cells;
  });
}

async function rowOf(site: PoolSite, load: number, seconds: number): Promise<PoolRow> {
  const { flood, free } = site;
  let ended = 0;
  let [asked, given] = [0, 0];
  const askFree = async () => {
    asked += 1;
    if ((await free.ask('free/sheddable')) === 200) given += 1;
  };
  const asking = setInterval(() => void askFree(), 20);
  const [, seen] = await flood.send(
    [
      { rate: CAPACITY / 2, lasts: 1_000 },
      { rate: load * CAPACITY, lasts: seconds * 1_000 },
      { rate: CAPACITY / 2, lasts: 3_000, begins: () => (ended = Date.now()) },
    ],
    CAPACITY,
  );
  clearInterval(asking);
  const { level, troubled } = await site.state();
  const served = sumOf(seen!.served);
  const calmAfter = level > 0 ? 'not' : `${Math.max(0, troubled - ended)} ms`;
  const cells = [
    `${load} x`,
    ...PRIORITIES.map((each) => percent(seen!.served[each], seen!.came[each])),
    percent(served, CAPACITY * seconds),
    (sumOf(seen!.refused) / seconds).toFixed(0),
    seen!.times.length === 0 ? '–' : `${quantileOf(seen!.times, 0.99).toFixed(0)} ms`,
    site.name === 'queue' ? calmAfter : '–',
    percent(given, asked),
  ];
  return { served, cells };
}
