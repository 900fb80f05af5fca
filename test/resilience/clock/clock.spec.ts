import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import type { PolicyOptions, Store } from '@sluice/core';
import { redisStore } from '@sluice/redis';
import { claim } from '../../support/claim.js';
import { startClockedRedis, whyNoClock, type ClockedRedis } from './clocked-redis.js';
import { Pressure } from './pressure.js';
import { Lag } from '../traffic/lag.js';

const HOUR = 3_600;
const LIMIT = 10;
const WINDOW = 400;
/** Seconds that the clock of Redis is ahead, one step after the other. */
const STEPS = [HOUR, 0, -HOUR, 0];
/** The longest wait for a unit of a spent key, in milliseconds. */
const MAX_WAIT_MS = WINDOW + (2 * WINDOW) / LIMIT;
/** More than a busy machine needs. */
const DEADLINE_MS = 2_000;

const limited = { limit: LIMIT, window: WINDOW };
const policies: readonly (readonly [name: string, policy: PolicyOptions])[] = [
  ['fixed-window', { algorithm: 'fixed-window', ...limited }],
  ['fixed-window by the clock', { algorithm: 'fixed-window', anchor: 'clock', ...limited }],
  ['sliding-window', limited],
  ['sliding-window of 10 slots', { ...limited, precision: 10 }],
  ['sliding-window, strict', { ...limited, strict: true }],
  ['multi-window', { algorithm: 'multi-window', windows: [limited, { limit: 3 * LIMIT, window: 4 * WINDOW }] }],
  ['sliding-window-log', { algorithm: 'sliding-window-log', ...limited }],
  ['token-bucket', { algorithm: 'token-bucket', ...limited }],
  ['leaky-bucket', { algorithm: 'leaky-bucket', ...limited, queue: LIMIT - 1 }],
];

const reason = whyNoClock();
if (reason !== undefined) console.log(`The clock of Redis is not stepped: ${reason}`);
const describeClock = reason === undefined ? describe : describe.skip;

describeClock('a limiter on a Redis whose clock steps by an hour, forward and back', () => {
  let server: ClockedRedis;
  let store: Store;
  const pressures = new Map<string, Pressure>();
  const offsets: number[] = [];
  const steps: number[] = [];
  let lag: Lag;

  // All policies at the same time.
  beforeAll(async () => {
    server = await startClockedRedis();
    store = redisStore({ url: server.url }, { deadline: DEADLINE_MS });
    await store.peek([claim()]);
    lag = new Lag();
    for (const [name, policy] of policies) pressures.set(name, new Pressure(store, name, policy));
    for (const seconds of STEPS) {
      await delay(2.5 * WINDOW);
      await server.step(seconds);
      steps.push(performance.now());
      offsets.push(await offsetOf(server));
    }
    await delay(2.5 * WINDOW);
    await Promise.all([...pressures.values()].map((pressure) => pressure.stop()));
    lag.stop();
  });

  afterAll(async () => {
    await store.close();
    await server.stop();
  });

  it('runs with its own clock', () => {
    expect(offsets.map((seconds, index) => Math.abs(seconds - STEPS[index]!) < 60)).toEqual(STEPS.map(() => true));
  });

  describe.each(policies)('by %s', (name) => {
    it('decides every request in time', () => {
      const { rejections, decisions, longest } = pressures.get(name)!;

      expect(rejections).toEqual([]);
      expect(decisions.filter(({ source }) => source !== 'redis')).toEqual([]);
      expect(longest).toBeLessThanOrEqual(DEADLINE_MS + 25 + lag.worst);
    });

    it('never delays a client by more than a refill', () => {
      const { decisions, longest } = pressures.get(name)!;
      const waits = decisions.map(({ retryAfter, delay: place }) => Math.max(retryAfter, place));

      expect(Math.max(...waits)).toBeLessThanOrEqual(MAX_WAIT_MS);
      // A step can come just before the refill, and a busy machine adds its delays.
      expect(pressures.get(name)!.longestGap(steps)).toBeLessThanOrEqual(MAX_WAIT_MS + 2 * longest + 2 * lag.worst);
    });

    it('admits at most a burst more than the limit for each clock step', () => {
      const { admitted, elapsed } = pressures.get(name)!;

      expect(admitted.length).toBeLessThanOrEqual(LIMIT * (elapsed / WINDOW + 1 + STEPS.length));
      expect(admitted.length).toBeGreaterThanOrEqual(LIMIT * 4);
    });
  });
});

/** Seconds that the clock of a server is ahead of ours. */
async function offsetOf({ port }: ClockedRedis): Promise<number> {
  const client = new Redis(port);
  const [seconds] = await client.time();
  client.disconnect();
  return Number(seconds) - Date.now() / 1000;
}
