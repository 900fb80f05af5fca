import type { Workload } from '../drive/workload.js';
import type { Framework } from '../http/http-contestant.js';

/** Checks of one contestant, as the benchmark has them. */
export interface CheckRow {
  readonly kind: 'redis' | 'memory';
  readonly contestant: string;
  readonly workload: Workload;
  readonly inFlight: number;
}

/** Requests to one server, as the benchmark has them. */
export interface HttpRow {
  readonly kind: 'http';
  readonly contestant: string;
  readonly framework: Framework;
}

/** Requests that one server answers without sockets: the CPU of what a limit adds is a larger part of them. */
export interface UnsentRow extends Omit<HttpRow, 'kind'> {
  readonly kind: 'unsent';
}

export type TrickRow = CheckRow | HttpRow | UnsentRow;

const KEYS = 10_000;
const uniform = { kind: 'uniform', keys: KEYS } as const;
const million = { kind: 'uniform', keys: 1_000_000 } as const;
const redis = { kind: 'redis', workload: uniform, inFlight: 64 } as const;
const memory = { kind: 'memory', workload: { kind: 'uniform', keys: 100_000 }, inFlight: 1 } as const;

/** Rows of the benchmark by short names. */
export const trickRows = {
  'fixed-window-64': { ...redis, contestant: 'Sluice fixed-window' },
  'fixed-window-256': { ...redis, contestant: 'Sluice fixed-window', inFlight: 256 },
  'fixed-window-16': { ...redis, contestant: 'Sluice fixed-window', inFlight: 16 },
  'fixed-window-1': { ...redis, contestant: 'Sluice fixed-window', inFlight: 1 },
  'sliding-window-1': { ...redis, contestant: 'Sluice sliding-window', inFlight: 1 },
  'token-bucket-1': { ...redis, contestant: 'Sluice token-bucket', inFlight: 1 },
  'sliding-window-16': { ...redis, contestant: 'Sluice sliding-window', inFlight: 16 },
  'token-bucket-16': { ...redis, contestant: 'Sluice token-bucket', inFlight: 16 },
  'sliding-window-64': { ...redis, contestant: 'Sluice sliding-window' },
  'small-windows-64': { ...redis, contestant: 'Sluice sliding-window, 60 a second' },
  'small-windows-1': { ...redis, contestant: 'Sluice sliding-window, 60 a second', inFlight: 1 },
  'token-bucket-64': { ...redis, contestant: 'Sluice token-bucket' },
  'strict-64': { ...redis, contestant: 'Sluice sliding-window, strict' },
  'log-64': { ...redis, contestant: 'Sluice sliding-window-log' },
  'multi-window-64': { ...redis, contestant: 'Sluice multi-window' },
  'hot-64': { ...redis, contestant: 'Sluice fixed-window', workload: { kind: 'hot', keys: KEYS } },
  'lease-hot-64': { ...redis, contestant: 'Sluice fixed-window, lease', workload: { kind: 'hot', keys: KEYS } },
  'lease-uniform-64': { ...redis, contestant: 'Sluice fixed-window, lease' },
  'lease-attack-64': {
    ...redis,
    contestant: 'Sluice fixed-window, lease',
    workload: { kind: 'attack', keys: KEYS },
  },
  'attack-64': { ...redis, contestant: 'Sluice fixed-window', workload: { kind: 'attack', keys: KEYS } },
  'uncached-attack-64': {
    ...redis,
    contestant: 'Sluice fixed-window, no deny cache',
    workload: { kind: 'attack', keys: KEYS },
  },
  'million-keys-64': { ...redis, contestant: 'Sluice fixed-window', workload: million },
  'three-fixed-windows-64': { ...redis, contestant: 'Sluice fixed-window, three tiers' },
  'three-fixed-windows-1': { ...redis, contestant: 'Sluice fixed-window, three tiers', inFlight: 1 },
  'three-sliding-windows-64': { ...redis, contestant: 'Sluice sliding-window, three tiers' },
  'three-token-buckets-64': { ...redis, contestant: 'Sluice token-bucket, three tiers' },
  'permit-64': { ...redis, contestant: 'Sluice concurrency' },
  'permit-1': { ...redis, contestant: 'Sluice concurrency', inFlight: 1 },
  'waiting-permit-64': { ...redis, contestant: 'Sluice concurrency, wait' },
  'waiting-permit-1': { ...redis, contestant: 'Sluice concurrency, wait', inFlight: 1 },
  'refunded-64': { ...redis, contestant: 'Sluice fixed-window, refunded' },
  'refunded-1': { ...redis, contestant: 'Sluice fixed-window, refunded', inFlight: 1 },
  'rate-and-permit-64': { ...redis, contestant: 'Sluice fixed-window and concurrency' },
  'rate-and-permit-1': { ...redis, contestant: 'Sluice fixed-window and concurrency', inFlight: 1 },
  'memory-store': { ...memory, contestant: 'Sluice fixed-window, store' },
  'memory-limiter': { ...memory, contestant: 'Sluice fixed-window, limiter' },
  'memory-three-tiers': { ...memory, contestant: 'Sluice limiter, memory, three tiers' },
  'memory-metrics': { ...memory, workload: uniform, contestant: 'Sluice limiter, memory, metrics' },
  'memory-overrides': { ...memory, workload: uniform, contestant: 'Sluice limiter, memory, 10 000 overrides' },
  'memory-overridden': { ...memory, workload: uniform, contestant: 'Sluice limiter, memory, overridden clients' },
  'memory-denied': { ...memory, workload: uniform, contestant: 'Sluice, memory, denied' },
  'memory-line': { ...memory, workload: uniform, contestant: 'Sluice, memory, denied in line' },
  'line-64': { ...redis, contestant: 'Sluice, Redis, denied in line' },
  'kept-line-64': { ...redis, contestant: 'Sluice, Redis, denied in a kept line' },
  'overrides-64': { ...redis, contestant: 'Sluice fixed-window, 10 000 overrides' },
  'express-memory': { kind: 'http', framework: 'express', contestant: 'Sluice, memory' },
  'express-redis': { kind: 'http', framework: 'express', contestant: 'Sluice, Redis' },
  'express-denied': { kind: 'http', framework: 'express', contestant: 'Sluice, Redis, denied' },
  'fastify-memory': { kind: 'http', framework: 'fastify', contestant: 'Sluice, memory' },
  'fastify-redis': { kind: 'http', framework: 'fastify', contestant: 'Sluice, Redis' },
  'express-unsent': { kind: 'unsent', framework: 'express', contestant: 'Sluice, memory' },
  'hono-unsent': { kind: 'unsent', framework: 'hono', contestant: 'Sluice, memory' },
  'fastify-unsent': { kind: 'unsent', framework: 'fastify', contestant: 'Sluice, memory' },
  'fastify-denied': { kind: 'http', framework: 'fastify', contestant: 'Sluice, Redis, denied' },
} as const satisfies Readonly<Record<string, TrickRow>>;

export type TrickRowName = keyof typeof trickRows;

export function isTrickRow(name: string): name is TrickRowName {
  return Object.hasOwn(trickRows, name);
}
