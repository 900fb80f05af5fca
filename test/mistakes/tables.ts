import { cached, createLimiter, llmTiers, memoryStore, type LimiterOptions } from '@sluice/http';
import { notices, usage } from '@sluice/quotas';
import { fairBy } from '@sluice/overload/fair';
import { line } from '@sluice/overload/line';
import { algorithms } from '../../packages/core/src/algorithms/named/algorithms.js';
import { CACHED_ROWS } from '../../packages/core/src/limiter/cached.js';
import { LIMITER_ROWS } from '../../packages/core/src/limiter/limiter-options.js';
import { LEASE_ROWS } from '../../packages/core/src/limiter/tiers/lease-options.js';
import { LLM_ROWS } from '../../packages/core/src/limiter/tiers/llm-tiers.js';
import { TIER_ROWS, TIER_RULES } from '../../packages/core/src/limiter/tiers/tier-rows.js';
import { MEMORY_ROWS } from '../../packages/core/src/stores/memory/memory-store.js';
import { others } from './tables/others.js';
import { requests } from './tables/requests.js';
import { server } from './tables/server.js';
import type { Table } from './table.js';

const key = () => 'ada';
const rate = { name: 'one', key, limit: 10, window: '1m' } as const;

function limiterOf(options: object): void {
  void createLimiter(options as LimiterOptions<unknown>).close();
}

/** Options of each algorithm that has some, beside which a row of it may stand. */
const BASES: Readonly<Record<string, object>> = {
  'fixed-window': { limit: 10, window: '1m' },
  'sliding-window': { limit: 10, window: '1m' },
  'sliding-window-log': { limit: 10, window: '1m' },
  'token-bucket': { limit: 10, window: '1m' },
  'leaky-bucket': { limit: 10, window: '1m', queue: 3 },
  'multi-window': {
    windows: [
      { limit: 5, window: '1s' },
      { limit: 9, window: '1m' },
    ],
  },
  concurrency: { limit: 10, hold: '1s' },
  backoff: { limit: 10, window: '1m', delays: ['1s'], forgive: 'one' },
};

/** Values for options of every tier. */
const OF_TIER = {
  name: ['login'],
  unit: ['tokens'],
  enforce: ['10%', '0.5%'],
  usage: [usage()],
  lease: [{ units: 1, duration: '1s' }],
  line: [line({ longest: '5m' })],
};

const WITH_LINES = ['fixed-window', 'sliding-window', 'sliding-window-log', 'token-bucket'];
/** The others refuse a line by what it does, whatever its value is. */
const { line: _line, ...WITHOUT_LINE } = TIER_ROWS;

const ofPeriod = { window: undefined, period: 'month' };

const ofAlgorithms = algorithms().map(({ name, options, tierOptions, rules = [] }): Table => ({
  name: `a tier with ${name}`,
  // The limit of a tier may be a function.
  rows: {
    ...(WITH_LINES.includes(name) ? TIER_ROWS : WITHOUT_LINE),
    ...tierOptions,
    ...options,
    ...('limit' in options && { limit: { ...options['limit'], orFunction: true } }),
  },
  right: { name: 'one', key, algorithm: name, ...BASES[name] },
  rightFor: {
    period: ofPeriod,
    timeZone: ofPeriod,
    startsOn: ofPeriod,
    charge: { forgive: undefined },
  },
  values: {
    ...OF_TIER,
    windows: [(BASES['multi-window'] as { windows: unknown }).windows],
    delays: [['1s', '2s']],
    timeZone: ['Europe/Berlin', 'UTC'],
    startsOn: [15],
    notices: [notices(0.5)],
    fair: [fairBy(() => 'ada')],
  },
  rules,
  make: limiterOf,
}));

/** Every table of options in the packages. A spec finds a table that is not here. */
export const tables: readonly Table[] = [
  {
    name: 'memoryStore',
    rows: MEMORY_ROWS,
    values: { clock: [Date.now] },
    make: (options) => memoryStore(options).close(),
  },
  {
    name: 'createLimiter',
    rows: LIMITER_ROWS,
    right: rate,
    rightFor: { plans: { limit: undefined, window: undefined, key: undefined, name: undefined, tiers: () => [rate] } },
    values: { store: [memoryStore()], prefix: ['rl'], secret: ['a secret'], share: [0.5], plans: [[[rate]]] },
    make: limiterOf,
  },
  {
    name: 'a tier',
    rows: TIER_ROWS,
    right: rate,
    values: OF_TIER,
    rules: TIER_RULES,
    make: limiterOf,
  },
  ...ofAlgorithms,
  {
    name: 'a lease',
    rows: LEASE_ROWS,
    right: { units: 5, duration: '1s' },
    make: (lease) => limiterOf({ ...rate, window: '400d', lease }),
  },
  {
    name: 'cached',
    rows: CACHED_ROWS,
    right: { load: key, otherwise: 1 },
    make: ({ load, ...options }: { readonly load: never }) => cached(load, options as never),
  },
  {
    name: 'llmTiers',
    rows: LLM_ROWS,
    right: { key, requestsPerMinute: 1, tokensPerMinute: 1, estimate: 1 },
    make: (options) => llmTiers(options),
  },
  ...requests,
  ...others,
  ...server,
];
