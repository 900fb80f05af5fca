import type { Workload } from '../drive/workload.js';
import type { Contestant, Discipline } from './contestant.js';
import { isIn, type Field } from './field.js';

/** The reference of all others: one bare EVALSHA of a fixed window a check. */
export const REFERENCE = 'one fixed-window EVALSHA';

// A contestant is a file, and an entry here.
const one = { discipline: 'one-tier' } as const;
const three = { discipline: 'three-tiers' } as const;
const memory = { discipline: 'memory' } as const;
const limiters = { discipline: 'limiters' } as const;
const outage = { discipline: 'outage' } as const;
const observed = { discipline: 'observed' } as const;
const overrides = { discipline: 'overrides', kind: 'sluice' } as const;
const quotas = { discipline: 'quotas', kind: 'sluice' } as const;
const lines = { discipline: 'lines', kind: 'sluice', decidesNothing: true } as const;
const permits = { discipline: 'permits', decidesNothing: true } as const;
const bare = { kind: 'limit', field: 'usual', decidesNothing: true } as const;

export const contestants: readonly Contestant[] = [
  { ...one, ...bare, name: 'PING', load: () => import('./limits/ping.js') },
  { ...one, ...bare, name: 'INCR', load: () => import('./limits/incr.js') },
  { ...one, ...bare, name: 'EVALSHA return 1', load: () => import('./limits/return-one.js') },
  { ...one, kind: 'limit', name: REFERENCE, load: () => import('./limits/fixed-window.js') },

  { ...one, kind: 'peer', name: 'rate-limiter-flexible', load: () => import('./peers/rate-limiter-flexible.js') },
  {
    ...one,
    kind: 'peer',
    field: 'usual',
    name: 'rate-limiter-flexible, inMemoryBlockOnConsumed',
    blocksInProcess: true,
    load: () => import('./peers/rate-limiter-flexible-block.js'),
  },
  { ...one, kind: 'peer', name: 'rate-limit-redis', load: () => import('./peers/rate-limit-redis.js') },
  { ...one, kind: 'peer', name: '@fastify/rate-limit', load: () => import('./peers/fastify-rate-limit.js') },
  {
    ...one,
    kind: 'peer',
    field: 'usual',
    name: '@upstash/ratelimit, fixed window',
    blocksInProcess: true,
    load: () => import('./peers/upstash-fixed-window.js'),
  },
  {
    ...one,
    kind: 'peer',
    field: 'usual',
    name: '@upstash/ratelimit, sliding window',
    blocksInProcess: true,
    load: () => import('./peers/upstash-sliding-window.js'),
  },
  {
    ...one,
    kind: 'peer',
    field: 'usual',
    name: '@nest-lab/throttler-storage-redis',
    load: () => import('./peers/nest-throttler.js'),
  },

  { ...one, kind: 'sluice', name: 'Sluice fixed-window', load: () => import('./sluice/fixed-window.js') },
  { ...one, kind: 'sluice', name: 'Sluice sliding-window', load: () => import('./sluice/sliding-window.js') },
  { ...one, kind: 'sluice', name: 'Sluice token-bucket', load: () => import('./sluice/token-bucket.js') },
  {
    ...one,
    kind: 'sluice',
    workloads: ['hot', 'uniform', 'attack'],
    name: 'Sluice fixed-window, lease',
    load: () => import('./sluice/fixed-window-lease.js'),
  },
  {
    ...one,
    kind: 'sluice',
    workloads: ['attack'],
    name: 'Sluice fixed-window, no deny cache',
    load: () => import('./sluice/fixed-window-no-deny-cache.js'),
  },
  {
    ...one,
    kind: 'sluice',
    field: 'all',
    name: 'Sluice fixed-window, clock',
    load: () => import('./sluice/fixed-window-clock.js'),
  },
  {
    ...one,
    kind: 'sluice',
    field: 'all',
    workloads: ['uniform'],
    name: 'Sluice sliding-window, 60 a second',
    load: () => import('./sluice/sliding-window-small.js'),
  },
  {
    ...one,
    kind: 'sluice',
    field: 'all',
    name: 'Sluice sliding-window, strict',
    load: () => import('./sluice/sliding-window-strict.js'),
  },
  {
    ...one,
    kind: 'sluice',
    field: 'all',
    name: 'Sluice leaky-bucket',
    load: () => import('./sluice/leaky-bucket.js'),
  },
  {
    ...one,
    kind: 'sluice',
    field: 'all',
    name: 'Sluice multi-window',
    load: () => import('./sluice/multi-window.js'),
  },
  {
    ...one,
    kind: 'sluice',
    field: 'all',
    name: 'Sluice sliding-window-log',
    load: () => import('./sluice/sliding-window-log.js'),
  },

  {
    ...three,
    kind: 'limit',
    name: 'one EVALSHA of three fixed windows',
    load: () => import('./limits/three-fixed-windows.js'),
  },
  {
    ...three,
    kind: 'peer',
    name: 'rate-limiter-flexible, three at once',
    load: () => import('./peers/rate-limiter-flexible-three.js'),
  },
  {
    ...three,
    kind: 'peer',
    field: 'usual',
    name: 'rate-limiter-flexible, Union (one key)',
    load: () => import('./peers/rate-limiter-flexible-union.js'),
  },
  {
    ...three,
    kind: 'peer',
    name: 'rate-limit-redis, three at once',
    load: () => import('./peers/rate-limit-redis-three.js'),
  },
  {
    ...three,
    kind: 'peer',
    field: 'usual',
    name: '@fastify/rate-limit, three at once',
    load: () => import('./peers/fastify-rate-limit-three.js'),
  },
  {
    ...three,
    kind: 'sluice',
    name: 'Sluice fixed-window, three tiers',
    load: () => import('./sluice/fixed-window-three.js'),
  },
  {
    ...three,
    kind: 'sluice',
    name: 'Sluice sliding-window, three tiers',
    load: () => import('./sluice/sliding-window-three.js'),
  },
  {
    ...three,
    kind: 'sluice',
    name: 'Sluice token-bucket, three tiers',
    load: () => import('./sluice/token-bucket-three.js'),
  },

  { ...memory, kind: 'limit', name: 'Map of counters', load: () => import('./memory/map-of-counters.js') },
  {
    ...memory,
    kind: 'peer',
    name: 'rate-limiter-flexible, RateLimiterMemory',
    load: () => import('./memory/rate-limiter-flexible.js'),
  },
  {
    ...memory,
    kind: 'peer',
    name: 'express-rate-limit, MemoryStore',
    load: () => import('./memory/express-rate-limit.js'),
  },
  {
    ...memory,
    kind: 'peer',
    name: '@fastify/rate-limit, LocalStore',
    load: () => import('./memory/fastify-rate-limit.js'),
  },
  { ...memory, kind: 'peer', name: 'hitlimit, memoryStore', load: () => import('./memory/hitlimit.js') },
  { ...memory, kind: 'sluice', name: 'Sluice fixed-window, store', load: () => import('./memory/fixed-window.js') },
  {
    ...memory,
    kind: 'sluice',
    name: 'Sluice sliding-window, store',
    load: () => import('./memory/sliding-window.js'),
  },
  { ...memory, kind: 'sluice', name: 'Sluice token-bucket, store', load: () => import('./memory/token-bucket.js') },
  {
    ...memory,
    kind: 'sluice',
    name: 'Sluice fixed-window, limiter',
    load: () => import('./memory/fixed-window-limiter.js'),
  },

  { ...limiters, kind: 'peer', name: 'hitlimit, limiter', load: () => import('./memory/hitlimit-limiter.js') },

  { ...outage, kind: 'sluice', name: 'Sluice limiter, memory', load: () => import('./memory/fixed-window-limiter.js') },
  {
    ...outage,
    kind: 'sluice',
    name: 'Sluice limiter, memory, three tiers',
    load: () => import('./memory/fixed-window-limiter-three.js'),
  },
  { ...outage, kind: 'sluice', name: 'Sluice limiter, Redis down', load: () => import('./sluice/redis-down.js') },

  {
    ...observed,
    kind: 'sluice',
    name: 'Sluice limiter, memory, metrics',
    load: () => import('./memory/fixed-window-limiter-metrics.js'),
  },
  {
    ...observed,
    kind: 'sluice',
    name: 'Sluice fixed-window, metrics',
    load: () => import('./sluice/fixed-window-metrics.js'),
  },
  {
    ...observed,
    kind: 'sluice',
    name: 'Sluice limiter, memory, in spans',
    load: () => import('./memory/fixed-window-limiter-spans.js'),
  },
  {
    ...observed,
    kind: 'sluice',
    name: 'Sluice limiter, memory, in spans, traces',
    load: () => import('./memory/fixed-window-limiter-traces.js'),
  },
  {
    ...observed,
    kind: 'sluice',
    name: 'Sluice fixed-window, in spans',
    load: () => import('./sluice/fixed-window-spans.js'),
  },
  {
    ...observed,
    kind: 'sluice',
    name: 'Sluice fixed-window, in spans, traces',
    load: () => import('./sluice/fixed-window-traces.js'),
  },

  {
    ...overrides,
    name: 'Sluice limiter, memory, 10 000 overrides',
    load: () => import('./memory/fixed-window-limiter-overrides.js'),
  },
  {
    ...overrides,
    name: 'Sluice limiter, memory, overridden clients',
    load: () => import('./memory/overridden-clients.js'),
  },
  {
    ...overrides,
    name: 'Sluice fixed-window, 10 000 overrides',
    load: () => import('./sluice/fixed-window-overrides.js'),
  },

  { ...quotas, name: 'Sluice month', load: () => import('./sluice/period.js') },
  { ...quotas, name: 'Sluice month, notices', load: () => import('./sluice/period-notices.js') },
  { ...quotas, name: 'Sluice month, usage', load: () => import('./sluice/period-usage.js') },
  { ...quotas, name: 'Sluice month and credits', load: () => import('./sluice/period-credits.js') },
  { ...quotas, name: 'Sluice month and credits that pay', load: () => import('./sluice/paying-credits.js') },

  {
    ...lines,
    name: 'Sluice, memory, denied',
    load: async () => (await import('./sluice/denials-in-line.js')).inMemory('none'),
  },
  {
    ...lines,
    name: 'Sluice, Redis, denied',
    load: async () => (await import('./sluice/denials-in-line.js')).onRedis('none'),
  },
  {
    ...lines,
    name: 'Sluice, memory, denied in line',
    load: async () => (await import('./sluice/denials-in-line.js')).inMemory('line'),
  },
  {
    ...lines,
    name: 'Sluice, Redis, denied in line',
    load: async () => (await import('./sluice/denials-in-line.js')).onRedis('line'),
  },
  {
    ...lines,
    name: 'Sluice, memory, denied in a kept line',
    load: async () => (await import('./sluice/denials-in-line.js')).inMemory('kept'),
  },
  {
    ...lines,
    name: 'Sluice, Redis, denied in a kept line',
    load: async () => (await import('./sluice/denials-in-line.js')).onRedis('kept'),
  },

  { ...permits, kind: 'peer', name: 'redis-semaphore', load: () => import('./peers/redis-semaphore.js') },
  { ...permits, kind: 'peer', name: 'bottleneck', load: () => import('./peers/bottleneck.js') },
  { ...permits, kind: 'sluice', name: 'Sluice concurrency', load: () => import('./sluice/concurrency.js') },
  {
    ...permits,
    kind: 'sluice',
    name: 'Sluice fixed-window and concurrency',
    load: () => import('./sluice/fixed-window-concurrency.js'),
  },
  {
    ...permits,
    kind: 'sluice',
    name: 'Sluice concurrency, wait',
    field: 'all',
    load: () => import('./sluice/concurrency-wait.js'),
  },
  {
    ...permits,
    kind: 'sluice',
    name: 'Sluice fixed-window, refunded',
    field: 'all',
    load: () => import('./sluice/fixed-window-refunded.js'),
  },
];

/** The contestants of a workload. Under attack, contestants that deny in the process always take part. */
export function entrants(discipline: Discipline, field: Field, workload: Workload['kind']): readonly Contestant[] {
  return contestants
    .filter((each) => each.discipline === discipline && (each.workloads?.includes(workload) ?? true))
    .filter((each) => isIn(each.field, field) || (workload === 'attack' && each.blocksInProcess === true));
}

/** @throws when no contestant has that name */
export function contestantNamed(name: string): Contestant {
  const found = contestants.find((each) => each.name === name);
  if (!found) throw new Error(`there is no contestant "${name}"`);
  return found;
}
