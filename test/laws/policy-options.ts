import { fair } from '@sluice/overload/fair';
import { algorithms } from '@sluice/metrics/operations';
import { quotas } from '@sluice/quotas';
import { readDocument } from '../../packages/policies/src/document/read-document.js';
import { shapesOf } from '../../packages/policies/src/operations/shapes.js';

/** A tier as a file has it. */
export interface FileTier {
  readonly name: string;
  readonly [option: string]: unknown;
}

/** The tiers of each limiter of a file. */
export type FileLimiters = Readonly<Record<string, readonly FileTier[]>>;

export function textOf(limiters: FileLimiters): string {
  const entries = Object.entries(limiters).map(([name, tiers]) => [name, { tiers }]);
  return JSON.stringify({ version: 1, limiters: Object.fromEntries(entries) });
}

/** What each algorithm needs. */
export const BASES: Readonly<Record<string, object>> = {
  'fixed-window': { limit: 5, window: '1h' },
  'sliding-window': { limit: 5, window: '1h' },
  'sliding-window-log': { limit: 5, window: '1h' },
  'token-bucket': { limit: 5, window: '1h' },
  gcra: { limit: 5, window: '1h' },
  'leaky-bucket': { limit: 5, window: '1h', queue: 4 },
  'multi-window': {
    windows: [
      { limit: 5, window: '1h' },
      { limit: 9, window: '1d' },
    ],
  },
  concurrency: { limit: 5, hold: '30s' },
  backoff: { limit: 3, window: '1h', delays: ['1s', '10s'], forgive: 'one' },
  pause: {},
  balance: {},
};

/** The values of each option that a file may have. Undefined leaves it out. */
export const VALUES: Readonly<Record<string, readonly unknown[]>> = {
  key: ['ip', 'tenant', 'header:x-user'],
  limit: [4, 5, 70, 0, null, { free: 5, otherwise: 4 }],
  window: ['1h', '60m', 3_600_000, '2h', undefined],
  windows: [
    [
      { limit: 5, window: '60m' },
      { limit: 70, window: '1d' },
    ],
    [
      { limit: 5, window: '1h' },
      { limit: 9, window: '2d' },
    ],
  ],
  precision: [10, 60, undefined],
  strict: [true, false, undefined],
  burst: [4, 5, undefined],
  overdraft: [1, 3, undefined],
  queue: [2, 3, undefined],
  anchor: ['first', 'clock', undefined],
  period: ['day', 'month', undefined],
  timeZone: ['UTC', 'Europe/Berlin', 'Asia/Tokyo', undefined],
  startsOn: [1, 15, undefined],
  notices: [[0.5, 1], undefined],
  hold: ['30s', 30_000, '1m', undefined],
  retry: ['1s', '2s', undefined],
  longest: ['1h', undefined],
  wait: ['0ms', '1s', undefined],
  fair: [{ by: 'tenant' }, { by: 'ip', weight: { free: 2, otherwise: 1 } }, undefined],
  delays: [['1s', '10s'], ['5s']],
  lockAt: [50, undefined],
  forgive: ['one', 'all', undefined],
  covers: [undefined],
  mode: ['enforce', 'shadow', 'demote', 'off', undefined],
  enforce: ['0%', '50%', undefined],
  charge: ['all', 'denied', 'admitted', undefined],
  cost: [1, 2, undefined],
  unit: ['tokens', undefined],
  aboveFull: ['all', undefined],
  usage: [true, undefined],
  lease: [{ units: 2, duration: '10s' }, undefined],
  onStoreFailure: ['deny', undefined],
};

/** Another value of an option: a place among its values. */
export interface Edit {
  readonly option: string;
  readonly value: number;
}

/** Options of algorithms, by the algorithms that have them. */
const OWNERS = new Map<string, readonly string[]>();
for (const { name, options } of algorithms()) {
  for (const option of Object.keys(options)) OWNERS.set(option, [...(OWNERS.get(option) ?? []), name]);
}

/** The tier with the edits that it takes. */
export function edited(tier: FileTier, wanted: readonly Edit[]): FileTier {
  let now = tier;
  const algorithm = tier['algorithm'] === 'gcra' ? 'token-bucket' : String(tier['algorithm']);
  for (const { option, value } of wanted) {
    if (OWNERS.get(option)?.includes(algorithm) === false) continue;
    const values = VALUES[option]!;
    const next = withOption(now, option, values[value % values.length]);
    // A period stands in the place of a window.
    const other = option === 'period' ? withOption(next, 'window', undefined) : withOption(next, 'period', undefined);
    now = [next, other].find(isTaken) ?? now;
  }
  return now;
}

function withOption({ ...tier }: FileTier, option: string, value: unknown): FileTier {
  const { [option]: _before, ...others } = tier;
  return (value === undefined ? others : { ...others, [option]: value }) as FileTier;
}

function isTaken(tier: FileTier): boolean {
  try {
    read(tier);
    return true;
  } catch {
    return false;
  }
}

function read(tier: FileTier) {
  return readDocument<never>('one', textOf({ api: [tier] }), {
    keys: {},
    plans: undefined,
    features: [quotas, fair],
    takesAnyName: true,
  });
}

/** Every algorithm is among the pairs, and every option of each. */
export function missingFromPairs(): readonly string[] {
  const known = algorithms();
  return [
    ...known.map(({ name }) => name).filter((name) => !(name in BASES)),
    ...known.flatMap(({ options }) => Object.keys(options).filter((option) => !(option in VALUES))),
  ];
}

/** The options of which a value begins with new counts: with others, a tier has other counts than its algorithm alone. */
export function optionsOfShape(): ReadonlySet<string> {
  const bases = Object.entries(BASES).map(([name, base]) => ({ name: 'a', key: 'ip', algorithm: name, ...base }));
  const month = edited(bases[0]!, [{ option: 'period', value: 1 }]);
  const ends = (tier: FileTier) => JSON.stringify(shapesOf(read(tier)).get('a'));
  const found = [...bases, month].flatMap((base) => {
    const before = ends(base);
    return Object.entries(VALUES).flatMap(([option, values]) =>
      values.some((_, value) => ends(edited(base, [{ option, value }])) !== before) ? [option] : [],
    );
  });
  return new Set(['algorithm', ...found]);
}
