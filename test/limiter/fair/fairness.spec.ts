import { fairBy } from '@sluice/overload/fair';
import { createLimiter, memoryStore, type Decision } from '@sluice/core';
import * as fc from 'fast-check';
import { Fleet } from './tenants.js';

interface World {
  readonly callers: number;
  readonly limit: number;
  /** Milliseconds that a request works. */
  readonly hold: number;
  /** Milliseconds until a denied caller asks again. */
  readonly interval: number;
}

/** The longest time for which a caller goes without a unit, in milliseconds. Each asks again and again, from the same moment. */
async function longestGap({ callers, limit, hold, interval }: World, lasts: number): Promise<number> {
  let now = 0;
  const limiter = createLimiter<number>({
    store: memoryStore({ clock: () => 1e12 + now }),
    name: 'workers',
    key: () => 'all',
    algorithm: 'concurrency',
    limit,
    fair: fairBy((caller) => caller),
  });
  const asksAt = Array.from({ length: callers }, () => 0);
  const held = new Array<Decision | undefined>(callers).fill(undefined);
  const servedAt = new Array<number>(callers).fill(0);
  let longest = 0;
  for (; now < lasts; now += 1) {
    for (let caller = 0; caller < callers; caller += 1) {
      if (asksAt[caller]! > now) continue;
      const running = held[caller];
      if (running !== undefined) await limiter.release(running);
      const decision = await limiter.consume(caller);
      held[caller] = decision.allowed ? decision : undefined;
      asksAt[caller] = now + (decision.allowed ? hold : interval);
      if (decision.allowed) servedAt[caller] = now;
      longest = Math.max(longest, now - servedAt[caller]!);
    }
  }
  return longest;
}

describe('a limit that callers share, without waiting', () => {
  it.each<[string, World]>([
    ['30 callers of 3 units', { callers: 30, limit: 3, hold: 50, interval: 5 }],
    ['46 callers of 10 units', { callers: 46, limit: 10, hold: 50, interval: 7 }],
  ])('leaves none of %s without one for longer than as many holds', async (_name, world) => {
    const bound = world.callers * world.hold;

    expect(await longestGap(world, 1.3 * bound)).toBeLessThanOrEqual(bound);
  });

  it('leaves no caller that asks again without a unit for longer than as many holds and intervals as there are callers', async () => {
    const world = fc.record({
      callers: fc.integer({ min: 2, max: 30 }),
      limit: fc.integer({ min: 1, max: 10 }),
      hold: fc.integer({ min: 5, max: 80 }),
      interval: fc.integer({ min: 1, max: 60 }),
    });
    await fc.assert(
      fc.asyncProperty(world, async (each) => {
        const bound = each.callers * (each.hold + each.interval);
        expect(await longestGap(each, 1.3 * bound)).toBeLessThanOrEqual(bound);
      }),
      { numRuns: 12, seed: 1 },
    );
  });

  it('goes on beside callers that never come back', async () => {
    let now = 0;
    const limiter = createLimiter<number>({
      store: memoryStore({ clock: () => 1e12 + now }),
      name: 'workers',
      key: () => 'all',
      algorithm: 'concurrency',
      limit: 2,
      fair: fairBy((caller) => caller),
    });
    let [allowed, running] = [0, [] as { readonly until: number; readonly decision: Decision }[]];
    for (; now < 10_000; now += 10) {
      for (const { decision, until } of running) if (until <= now) await limiter.release(decision);
      running = running.filter(({ until }) => until > now);
      const decision = await limiter.consume(now);
      if (!decision.allowed) continue;
      allowed += 1;
      running.push({ decision, until: now + 50 });
    }

    expect(allowed / (10_000 / 25)).toBeGreaterThan(0.9);
  });
});

describe('a line of callers that is bounded', () => {
  beforeEach(() => jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] }));
  afterEach(() => jest.useRealTimers());

  it.each([1, 3])('has places for a quiet caller beside %i that flood it', async (floods) => {
    const limiter = createLimiter<string>({
      store: memoryStore({ clock: () => Date.now() }),
      tiers: [
        {
          name: 'workers',
          key: () => 'all',
          algorithm: 'concurrency',
          limit: 1,
          wait: '10s',
          queue: 12,
          fair: fairBy((caller: string) => caller),
        },
      ],
    });
    const running = await limiter.consume('flood 0');
    const answers = new Map<string, boolean[]>();
    const ask = async (caller: string) => {
      const decision = await limiter.consume(caller);
      answers.set(caller, [...(answers.get(caller) ?? []), decision.allowed]);
      if (decision.allowed) await limiter.release(decision);
    };
    const asked = Array.from({ length: 60 }, (_, index) => ask(`flood ${index % floods}`));

    const quiet = ask('quiet');
    await limiter.release(running);
    await jest.advanceTimersByTimeAsync(1_000);
    await Promise.all([...asked, quiet]);

    expect(answers.get('quiet')).toEqual([true]);
    const served = [...answers.values()].flat().filter(Boolean).length;
    expect(served).toBeGreaterThan(12 / 2);
    expect(served).toBeLessThanOrEqual(12);
  });
});

describe('lines of several processes', () => {
  beforeEach(() => jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] }));
  afterEach(() => jest.useRealTimers());

  describe.each([true, false])('for a limit with fair: %s', (fair) => {
    it.each([
      [2, 2, 300],
      [4, 3, 50],
      [4, 2, 500],
      [2, 50, 200],
    ])(
      'give each of %i processes half of an even share of %i units at least, for work of %i ms',
      async (processes, limit, holds) => {
        const fleet = new Fleet({ processes, limit, fair });
        for (let process = 0; process < processes; process += 1) {
          for (const name of ['a', 'b']) fleet.floods({ name, holds }, limit + 2, process);
        }
        await fleet.works(1_000);

        await fleet.works(5_000);
        const even = (limit * 5_000) / processes;
        const [least, used] = [Math.min(...fleet.workedIn), fleet.used(5_000)];
        await fleet.end();

        expect(least).toBeGreaterThan(even / 2);
        expect(used).toBeGreaterThan(0.93);
      },
    );
  });

  it('share units and not turns: 6 of them between work of 60 and of 6 ms', async () => {
    const fleet = new Fleet({ limit: 6 });
    fleet.floods({ name: 'long', holds: 60 }, 20);
    fleet.floods({ name: 'short', holds: 6 }, 20);

    await fleet.works(1_000);
    await fleet.works(3_000);
    const units = fleet.worked.get('short')! / 3_000;
    await fleet.end();

    expect(units).toBeGreaterThan(2.5);
  });
});
