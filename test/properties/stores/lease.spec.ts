import * as fc from 'fast-check';
import type { PolicyOptions } from '@sluice/core';
import type { Claim } from '@sluice/core/own-store';
import { DenyCache } from '../../../packages/core/src/stores/between-processes/deny-cache.js';
import { HotKeys } from '../../../packages/core/src/stores/with-lease/hot-keys.js';
import { claim } from '../../support/claim.js';
import { FarStore, nearStore, Simulation } from './far-store.js';
import { behindLease } from '../../support/layered-stores.js';

interface Terms {
  readonly units: number;
  readonly duration: number;
}

/** Processes with a lease on one store. */
class Fleet {
  readonly simulation = new Simulation((milliseconds) => jest.advanceTimersByTime(milliseconds));
  readonly near = nearStore(this.simulation);
  readonly claim: Claim;
  /** The time of each admitted unit, in milliseconds. */
  readonly admitted: number[] = [];
  readonly fars: readonly FarStore[];
  readonly processes: readonly ReturnType<typeof behindLease>[];

  constructor(size: number, options: PolicyOptions, lease: Terms, latency: () => number = () => 1) {
    this.fars = Array.from({ length: size }, () => new FarStore(this.simulation, latency, this.near));
    this.processes = this.fars.map((far) =>
      behindLease(far, {
        fetchFrom: far,
        denials: new DenyCache(),
        clock: () => this.simulation.now,
        hotKeys: new HotKeys(1, 1),
      }),
    );
    this.claim = claim({ tier: 'hot', key: 'rl:{hot}:hot', policy: options, lease });
  }

  consume(time: number, process: number, cost = 1): void {
    this.simulation.at(time, () => void this.#consume(process, cost));
  }

  async #consume(process: number, cost: number): Promise<void> {
    const answer = await this.processes[process]!.consume([{ ...this.claim, cost }]);
    if (!answer.outcomes[0]!.allowed) return;
    for (let unit = 0; unit < cost; unit += 1) this.admitted.push(this.simulation.now);
  }

  /** The units that the store has charged. */
  get used(): number {
    const [outcome] = this.near.peek([{ ...this.claim, cost: 0 }]).outcomes;
    return outcome!.limit - outcome!.remaining;
  }

  get calls(): number {
    return this.fars.reduce((sum, far) => sum + far.calls, 0);
  }

  /** The maximum admitted in any span of this length. */
  most(span: number): number {
    const times = this.admitted.toSorted((one, other) => one - other);
    let from = 0;
    let most = 0;
    for (const [index, time] of times.entries()) {
      while (times[from]! <= time - span) from += 1;
      most = Math.max(most, index - from + 1);
    }
    return most;
  }
}

const loads = fc.record({
  size: fc.integer({ min: 1, max: 4 }),
  units: fc.integer({ min: 1, max: 20 }),
  duration: fc.integer({ min: 20, max: 1_000 }),
  requests: fc.array(fc.record({ pause: fc.nat(30), process: fc.nat(3), cost: fc.integer({ min: 1, max: 3 }) }), {
    minLength: 50,
    maxLength: 300,
  }),
  delays: fc.array(fc.nat(20), { minLength: 1, maxLength: 10 }),
});

type Load = typeof loads extends fc.Arbitrary<infer Value> ? Value : never;

async function run({ size, units, duration, requests, delays }: Load, options: PolicyOptions): Promise<Fleet> {
  let calls = 0;
  const fleet = new Fleet(size, options, { units, duration }, () => delays[(calls += 1) % delays.length]!);
  let time = 0;
  for (const { pause, process, cost } of requests) {
    time += pause;
    fleet.consume(time, process % size, cost);
  }
  await fleet.simulation.run();
  return fleet;
}

describe('LeaseLayer', () => {
  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask', 'performance', 'Date'] });
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  it('admits only charged units, and refunds unspent ones', async () => {
    await fc.assert(
      fc.asyncProperty(loads, async (load) => {
        const fleet = await run(load, { algorithm: 'fixed-window', limit: 200, window: '1h' });
        expect(fleet.used).toBeGreaterThanOrEqual(fleet.admitted.length);
        expect(fleet.admitted.length).toBeLessThanOrEqual(200);

        // The duration passes, and refunds arrive.
        fleet.simulation.at(fleet.simulation.now + load.duration + 2_000, () => undefined);
        fleet.simulation.at(fleet.simulation.now + load.duration + 3_000, () => undefined);
        await fleet.simulation.run();

        expect(fleet.used).toBe(fleet.admitted.length);
      }),
      { numRuns: 20 },
    );
  });

  it('admits at most the limit in every fixed window', async () => {
    await fc.assert(
      fc.asyncProperty(loads, async (load) => {
        const fleet = await run(load, { algorithm: 'fixed-window', anchor: 'clock', limit: 20, window: '1s' });

        const windows = new Map<number, number>();
        for (const time of fleet.admitted) {
          const window = Math.floor(time / 1_000);
          windows.set(window, (windows.get(window) ?? 0) + 1);
        }
        expect(Math.max(0, ...windows.values())).toBeLessThanOrEqual(20 + load.size * load.units);
      }),
      { numRuns: 20 },
    );
  });

  it.each([
    ['token-bucket', { algorithm: 'token-bucket', limit: 50, window: '1s', burst: 20 }, 20 + 50],
    ['sliding-window', { algorithm: 'sliding-window', limit: 40, window: '1s' }, 2 * 40],
  ] as [string, PolicyOptions, number][])(
    'admits at most the leased units of each process more in any window: %s',
    async (_, options, most) => {
      await fc.assert(
        fc.asyncProperty(loads, async (load) => {
          const fleet = await run(load, options);

          expect(fleet.most(1_000)).toBeLessThanOrEqual(most + load.size * load.units);
        }),
        { numRuns: 20 },
      );
    },
  );

  it('calls the store once for many requests of a hot key', async () => {
    const fleet = new Fleet(
      1,
      { algorithm: 'fixed-window', limit: 1e6, window: '1h' },
      { units: 100, duration: 1_000 },
    );
    for (let request = 0; request < 10_000; request += 1) fleet.consume(request / 10, 0);

    await fleet.simulation.run();

    expect(fleet.admitted).toHaveLength(10_000);
    expect(fleet.calls).toBeLessThan(400);
  });

  it.each([
    [1, 1, { units: 20, duration: 700 }],
    [1, 5, { units: 5, duration: 500 }],
    [1, 8, { units: 1, duration: 100 }],
    [4, 1, { units: 20, duration: 700 }],
    [4, 5, { units: 5, duration: 500 }],
  ] as const)(
    'admits what a bucket allows of more requests than that: %i processes, one each %i ms, %j',
    async (size, pause, lease) => {
      const fleet = new Fleet(size, { algorithm: 'token-bucket', limit: 100, window: '1s', burst: 20 }, lease);
      for (let time = 0; time < 3_000; time += pause) fleet.consume(time, time % size);

      await fleet.simulation.run();

      expect(fleet.admitted.length).toBeGreaterThanOrEqual(0.9 * (20 + 100 * 3));
      expect(fleet.admitted.length).toBeLessThanOrEqual(20 + 100 * 3 + 1);
    },
  );
});
