import type { Row } from '../measure/row.js';
import type { PartName, Table } from '../parts/bench.js';
import { isAimed, isMet, type Bar } from './bar.js';
import { fine, percent, times, whole } from './figures.js';
import { barsOf } from './bars.js';
import type { Picture } from './pictures.js';
import { majorOf, type Report } from './report.js';
import { toTable } from './table.js';

type Column = readonly [head: string, of: (row: Row) => string];

const RATIO: readonly Column[] = [
  ['checks/s', ({ rate }) => whole(rate)],
  ['x reference', ({ ratio, spread }) => `${times(ratio)} ±${percent(spread)}`],
  ['x fastest peer', ({ toFastestPeer }) => (toFastestPeer === undefined ? '' : times(toFastestPeer))],
];

const LATENCY: readonly Column[] = [
  ['p50 us', ({ p50 }) => whole(p50)],
  ['p99 us', ({ p99 }) => whole(p99)],
];

const ON_REDIS: readonly Column[] = [
  ...RATIO,
  ...LATENCY,
  ['client CPU us', ({ cpu }) => fine(cpu)],
  ['Redis CPU us', ({ redisCpu }) => fine(redisCpu)],
  ['commands', ({ commands }) => commands.toFixed(2)],
  ['bytes in', ({ bytesIn }) => whole(bytesIn)],
  ['bytes out', ({ bytesOut }) => whole(bytesOut)],
  ['from process', ({ fromProcess }) => percent(fromProcess)],
];

const UNSENT: readonly Column[] = [
  ['CPU us', ({ cpu }) => fine(cpu)],
  ['x bare CPU', ({ cpuRatio, spread }) => `${times(cpuRatio)} ±${percent(spread)}`],
  ['added CPU us', ({ addedCpu }) => fine(addedCpu ?? NaN)],
];

const COLUMNS: Readonly<Record<PartName, readonly Column[]>> = {
  redis: ON_REDIS,
  tiers: ON_REDIS,
  light: ON_REDIS,
  scripts: [
    ['Redis CPU us', ({ redisCpu }) => fine(redisCpu)],
    ['x reference CPU', ({ redisCpuRatio, spread }) => `${times(redisCpuRatio)} ±${percent(spread)}`],
    ['bytes in', ({ bytesIn }) => whole(bytesIn)],
    ['bytes out', ({ bytesOut }) => whole(bytesOut)],
  ],
  bytes: [],
  memory: RATIO,
  limiters: [...RATIO, ['CPU us', ({ cpu }) => fine(cpu)], ['x reference CPU', ({ cpuRatio }) => times(cpuRatio)]],
  addresses: [...RATIO, ['x reference CPU', ({ cpuRatio }) => times(cpuRatio)]],
  outage: RATIO,
  observed: RATIO,
  overrides: [...RATIO, ['x reference CPU', ({ cpuRatio }) => times(cpuRatio)]],
  quotas: ON_REDIS,
  lines: [
    ...RATIO,
    ['x reference CPU', ({ cpuRatio }) => times(cpuRatio)],
    ['Redis CPU us', ({ redisCpu }) => fine(redisCpu)],
  ],
  permits: [...ON_REDIS, ['scripts us', ({ scriptTime }) => fine(scriptTime)]],
  http: [
    ['requests/s', ({ rate }) => whole(rate)],
    ['x bare', ({ ratio, spread }) => `${times(ratio)} ±${percent(spread)}`],
    ...LATENCY,
    ['server CPU us', ({ cpu }) => fine(cpu)],
    ['x bare CPU', ({ cpuRatio }) => times(cpuRatio)],
    ['added user CPU us', ({ addedUserCpu }) => fine(addedUserCpu ?? NaN)],
    ['Redis CPU us', ({ redisCpu }) => fine(redisCpu)],
  ],
  unsent: UNSENT,
  inside: UNSENT,
  overload: UNSENT,
  cold: [
    ...RATIO.map(([head, of]): Column => [head.replace('checks', 'requests').replace('reference', 'bare'), of]),
    ['CPU us', ({ cpu }) => fine(cpu)],
    ['added CPU us', ({ addedCpu }) => fine(addedCpu ?? NaN)],
    ['start ms', ({ startTime }) => fine(startTime ?? NaN)],
  ],
  imports: [
    ['CPU ms', ({ cpu }) => fine(cpu / 1e3)],
    ['x reference', ({ cpuRatio, spread }) => `${times(cpuRatio)} ±${percent(spread)}`],
  ],
  processes: ON_REDIS,
  keys: [
    ['bytes a key', ({ bytesPerKey }) => whole(bytesPerKey ?? NaN)],
    ...RATIO.slice(0, 2),
    ...LATENCY,
    ['Redis CPU us', ({ redisCpu }) => fine(redisCpu)],
  ],
  batches: [
    ...RATIO,
    ...LATENCY,
    ['checks a command', ({ commands }) => fine(1 / commands)],
    ['client CPU us', ({ cpu }) => fine(cpu)],
    ['Redis CPU us', ({ redisCpu }) => fine(redisCpu)],
  ],
};

/** All pictures, one after the other. */
export function gallery(pictures: readonly Picture[]): string {
  return pictures.map(({ file, title }) => `![${title}](${file})`).join('\n\n');
}

/** The bars of a run, and what runs of other Nodes measured. */
export function reportTable(report: Report, others: readonly Report[] = []): string {
  return barTable(
    barsOf(report),
    others.map((other) => [`Node ${majorOf(other)}`, barsOf(other)]),
  );
}

function barTable(bars: readonly Bar[], others: readonly (readonly [head: string, bars: readonly Bar[]])[]): string {
  return toTable(
    ['work', 'measure', 'beside', 'must', 'aim', 'measured', 'verdict', ...others.map(([head]) => head)],
    bars.map((bar) => [
      bar.work,
      bar.measure,
      bar.beside ?? '',
      `${bar.sense === 'least' ? '≥' : '≤'} ${bar.must}`,
      bar.aim === undefined ? '' : String(bar.aim),
      figure(bar),
      verdict(bar),
      ...others.map(([, theirs]) => figure(theirs.find((other) => isSame(bar, other)))),
    ]),
  );
}

function figure(bar: Bar | undefined): string {
  return bar?.measured === undefined ? '' : times(bar.measured);
}

/** A peer that is the fastest in one run may be the second in another one. */
function isSame(one: Bar, other: Bar): boolean {
  return one.work === other.work && one.measure === other.measure && one.must === other.must;
}

export function raceTable({ part, rows }: Table): string {
  const columns = COLUMNS[part];
  // Steps stay in their order.
  const sorted =
    part === 'inside' || part === 'overload' ? rows : rows.toSorted((one, other) => one.ratio - other.ratio);
  return toTable(
    ['limiter', ...columns.map(([head]) => head)],
    sorted.map((row) => [
      row.kind === 'sluice' ? `**${row.contestant}**` : row.contestant,
      ...columns.map(([, of]) => (row.trouble === undefined ? of(row) : '')),
    ]),
  );
}

function verdict(bar: Bar): string {
  const met = isMet(bar);
  if (met === undefined) return bar.missing ?? '';
  if (isAimed(bar)) return 'aim met';
  return met ? 'met' : 'NOT met';
}
