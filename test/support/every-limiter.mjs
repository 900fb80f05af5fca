import { createLimiter } from '@sluice/core';
import { fairBy } from '@sluice/overload/fair';
import { line } from '@sluice/overload/line';
import { balance, notices, usage } from '@sluice/quotas';

// Limiters that use every feature with a key in Redis, under two prefixes of which one begins with the other. Specs load them from
// the sources, and the command line from the built packages, as a configuration.

/** @typedef {{ user: string, team: string, cost?: number, tenant?: string }} Caller */

const key = (/** @type {Caller} */ { user }) => user;
const cost = (/** @type {Caller} */ caller) => caller.cost ?? 1;
const record = (/** @type {Caller} */ caller) => `${caller.user} in ${caller.team}`;
const window = '10m';

/** One tier each: lone tiers have scripts of their own. */
const TIERS = /** @type {const} */ ([
  { name: 'fixed', algorithm: 'fixed-window', limit: 7, window },
  { name: 'calendar', algorithm: 'fixed-window', limit: 7, period: 'day' },
  { name: 'log', limit: 7, window },
  { name: 'slots', limit: 70, window },
  { name: 'ring', limit: 70, window, precision: 10 },
  { name: 'strict', limit: 70, window, strict: true },
  { name: 'exact', algorithm: 'sliding-window-log', limit: 7, window },
  { name: 'bucket', algorithm: 'token-bucket', limit: 60, window, burst: 7 },
  { name: 'queue', algorithm: 'leaky-bucket', limit: 60, window, queue: 6 },
  {
    name: 'windows',
    algorithm: 'multi-window',
    windows: [
      { limit: 7, window: '5m' },
      { limit: 20, window: '15m' },
    ],
  },
  { name: 'backoff', algorithm: 'backoff', limit: 3, window, delays: ['30s', '2m'], forgive: 'one' },
  { name: 'lined', algorithm: 'token-bucket', limit: 60, window, burst: 7, line: line({ longest: '5m', by: key }) },
  { name: 'used', algorithm: 'token-bucket', limit: 60, window, burst: 7, usage: usage() },
]);

/**
 * @param {import('@sluice/core').Store} store
 * @returns {Readonly<Record<string, import('@sluice/core').Limiter<Caller>>>}
 */
export function everyLimiter(store) {
  const lone = TIERS.map((tier) => [tier.name, createLimiter({ store, tiers: [{ ...tier, key, cost }] })]);
  return {
    ...Object.fromEntries(lone),
    together: createLimiter({
      store,
      tiers: TIERS.map((tier) => ({ ...tier, name: `all:${tier.name}`, key, record })),
    }),
    permits: createLimiter({ store, name: 'permits', key, algorithm: 'concurrency', limit: 2, hold: '1h' }),
    fair: createLimiter({
      store,
      name: 'fair',
      key: () => 'everybody',
      algorithm: 'concurrency',
      limit: 2,
      hold: '1h',
      fair: fairBy((/** @type {Caller} */ { tenant = 'none' }) => tenant),
    }),
    paused: createLimiter({ store, name: 'paused', key, algorithm: 'pause' }),
    plan: createLimiter({
      store,
      tiers: [
        {
          name: 'month',
          key,
          cost,
          algorithm: 'fixed-window',
          limit: 3,
          period: 'month',
          notices: notices(0.5, 1),
          usage: usage(),
        },
        { name: 'credits', key, cost, algorithm: balance({ covers: ['month'] }) },
      ],
    }),
    billing: createLimiter({
      store,
      prefix: 'rl:billing',
      partition: ({ team }) => team,
      tiers: [
        { name: 'month', key, cost, limit: 70, window, usage: usage(), record },
        { name: 'credits', key, cost, algorithm: balance({ covers: ['month'] }), usage: usage() },
      ],
    }),
  };
}
