import {
  createLimiter,
  type ConsumeOptions,
  type Decision,
  memoryStore,
  type Limiter,
} from '../../../packages/core/src/index.js';
import type { Tier } from '../../../packages/core/src/limiter/tiers/tier.js';
import { line, type LineOptions } from '../../../packages/overload/src/line/index.js';
import { fakeClock, type FakeClock } from '../../../packages/testing/src/clock.js';

export interface Visit {
  readonly cost: number;
}

/** The tiers that have a line. */
export const TIERS: readonly (readonly [name: string, options: object])[] = [
  ['token-bucket', { algorithm: 'token-bucket', limit: 100, window: '1m' }],
  ['token-bucket of a small burst', { algorithm: 'token-bucket', limit: 100, window: '1m', burst: 5 }],
  ['token-bucket with rests', { algorithm: 'token-bucket', limit: 7, window: '1m' }],
  ['sliding-window that keeps a log', { limit: 10, window: '1m' }],
  ['sliding-window of one slot', { limit: 100, window: '1m' }],
  ['sliding-window of 10 slots', { limit: 100, window: '1m', precision: 10 }],
  ['sliding-window, strict', { limit: 100, window: '1m', strict: true }],
  ['sliding-window-log', { algorithm: 'sliding-window-log', limit: 100, window: '1m' }],
  ['fixed-window by the clock', { algorithm: 'fixed-window', limit: 100, window: '1m', anchor: 'clock' }],
  ['fixed-window of a day', { algorithm: 'fixed-window', limit: 20, period: 'day' }],
];

export interface Served {
  readonly clock: FakeClock;
  readonly limiter: Limiter<Visit>;
  consume(cost?: number, options?: ConsumeOptions): Decision;
  peek(cost?: number): Decision;
}

/** A tier in memory, on a clock that a test sets. @param options of the line. @default no line */
export function served(options: object, lined?: LineOptions<Visit>): Served {
  const clock = fakeClock(Date.UTC(2030, 0, 1, 0, 0, 7));
  const tier = {
    name: 'shared',
    key: () => 'shared',
    cost: ({ cost }: Visit) => cost,
    ...options,
    ...(lined && { line: line(lined) }),
  } as unknown as Tier<Visit>;
  const limiter = createLimiter<Visit>({ store: memoryStore({ clock }), secret: 'pepper', tiers: [tier] });
  return {
    clock,
    limiter,
    consume: (cost = 1, asked) => limiter.consume({ cost }, asked) as Decision,
    peek: (cost = 1) => limiter.peek({ cost }) as Decision,
  };
}

export interface Client {
  readonly cost: number;
  /** When it comes first, and then when it was told to come. In milliseconds. */
  at: number;
  denials: number;
}

/** Serves clients in the order of their times. Each comes back when it was told. Returns the last time. */
export function serve(on: Served, clients: readonly Client[], onDenied?: (client: Client) => void): number {
  const { clock } = on;
  const waiting = [...clients];
  while (waiting.length > 0) {
    let next = 0;
    for (let index = 1; index < waiting.length; index += 1) if (waiting[index]!.at < waiting[next]!.at) next = index;
    const client = waiting[next]!;
    clock.set(Math.max(clock(), client.at));
    const { allowed, retryAfter } = on.consume(client.cost);
    if (allowed) {
      waiting.splice(next, 1);
      continue;
    }
    client.denials += 1;
    onDenied?.(client);
    client.at = clock() + retryAfter;
    // A client that comes back goes behind those of the same moment.
    waiting.push(...waiting.splice(next, 1));
  }
  return clock();
}
