import * as fc from 'fast-check';
import { memoryStore, type PolicyOptions } from '@sluice/core';
import type { Answer, Claim, Receipt } from '@sluice/core/own-store';
import { DenyCache } from '../../../packages/core/src/stores/between-processes/deny-cache.js';
import { HotKeys } from '../../../packages/core/src/stores/with-lease/hot-keys.js';
import { claim } from '../../support/claim.js';
import { FarStore, nearStore, Simulation } from './far-store.js';
import { behindDenyCache, behindFallback, behindLease } from '../../support/layered-stores.js';

const MAX_UNITS = 8;
const DURATION = 200;

/** The limits of a tier: several for a limit function. */
const limits: Readonly<Record<string, readonly number[]>> = { hot: [60], plan: [40, 25], cold: [70] };

function claimOf(tier: string, limit: number, cost: number): Claim {
  const options: PolicyOptions = { algorithm: 'fixed-window', anchor: 'clock', limit, window: '1h' };
  const lease = tier === 'cold' ? undefined : { units: MAX_UNITS, duration: DURATION };
  return claim({ tier, key: `rl:{one}:${tier}`, policy: options, cost, lease });
}

/** A process with all wrappers of a store, as `compose` orders them. */
class Process {
  readonly far: FarStore;
  readonly local = memoryStore();
  readonly store: ReturnType<typeof behindDenyCache>;
  readonly release: () => Promise<void>;

  constructor(simulation: Simulation, far: FarStore) {
    this.far = far;
    const clock = () => simulation.now;
    const denials = new DenyCache(clock);
    const leasing = behindLease(behindFallback(far, this.local), {
      fetchFrom: far,
      denials,
      clock,
      hotKeys: new HotKeys(1, 1),
    });
    this.store = behindDenyCache(leasing, denials);
    this.release = () => leasing.release();
  }
}

/** Processes, one store, and the accounts of both. */
class Fleet {
  readonly simulation = new Simulation((milliseconds) => jest.advanceTimersByTime(milliseconds));
  readonly near = nearStore(this.simulation);
  readonly processes: readonly Process[];
  /** Units of each tier that the store admitted, minus refunds. */
  readonly charged = new Map<string, number>();
  readonly chargedLocally = new Map<string, number>();
  resets = 0;
  readonly #receipts: [Process, Receipt][] = [];

  constructor(size: number, latency: () => number) {
    this.processes = Array.from(
      { length: size },
      () => new Process(this.simulation, new FarStore(this.simulation, latency, this.near)),
    );
  }

  async consume(process: Process, group: readonly Claim[]): Promise<Answer> {
    const answer = await process.store.consume(group);
    if (answer.receipts.length > 0 && answer.outcomes.some(({ allowed }) => !allowed))
      throw new Error('denied and charged');
    for (const receipt of answer.receipts) {
      this.#account(receipt, receipt.units);
      this.#receipts.push([process, receipt]);
    }
    return answer;
  }

  async refund(which: number): Promise<void> {
    if (this.#receipts.length === 0) return;
    const [[process, receipt]] = this.#receipts.splice(which % this.#receipts.length, 1) as [[Process, Receipt]];
    // The time of the refund is unknown: from now on another process can charge it.
    this.#account(receipt, -receipt.units);
    this.#account(receipt, receipt.units - (await process.store.refund([receipt])));
  }

  used(tier: string): number {
    const [outcome] = this.near.peek([claimOf(tier, limits[tier]![0]!, 0)]).outcomes;
    return outcome!.limit - outcome!.remaining;
  }

  #account({ tier, source }: Receipt, units: number): void {
    const account = source === 'local' ? this.chargedLocally : this.charged;
    account.set(tier, (account.get(tier) ?? 0) + units);
  }
}

const groups = fc
  .subarray(Object.keys(limits), { minLength: 1 })
  .chain((tiers) =>
    fc.tuple(
      ...tiers.map((tier) =>
        fc
          .record({ limit: fc.constantFrom(...limits[tier]!), cost: fc.constantFrom(1, 1, 1, 2, 3, 9) })
          .map(({ limit, cost }) => claimOf(tier, limit, cost)),
      ),
    ),
  );

type Operation =
  | { kind: 'consume'; group: readonly Claim[] }
  | { kind: 'refund'; which: number }
  | { kind: 'reset'; tier: string }
  | { kind: 'state'; state: FarStore['state'] };

const consumptions = fc.record({ kind: fc.constant('consume' as const), group: groups });
const refunds = fc.record({ kind: fc.constant('refund' as const), which: fc.nat(100) });
const resets = fc.record({ kind: fc.constant('reset' as const), tier: fc.constantFrom(...Object.keys(limits)) });
const states = fc.record({
  kind: fc.constant('state' as const),
  state: fc.constantFrom('works', 'unreachable', 'silent'),
});

function histories(...others: fc.WeightedArbitrary<Operation>[]) {
  const operations = fc.oneof({ weight: 12, arbitrary: consumptions }, ...others);
  return fc.record({
    size: fc.integer({ min: 1, max: 3 }),
    delays: fc.array(fc.nat(20), { minLength: 1, maxLength: 10 }),
    steps: fc.array(fc.tuple(fc.nat(20), fc.nat(2), operations), { minLength: 60, maxLength: 150 }),
  });
}

type History = ReturnType<typeof histories> extends fc.Arbitrary<infer Value> ? Value : never;

async function run({ size, delays, steps }: History, check: (fleet: Fleet) => void = () => undefined): Promise<Fleet> {
  let calls = 0;
  const fleet = new Fleet(size, () => delays[(calls += 1) % delays.length]!);
  let time = 0;
  for (const [pause, index, operation] of steps) {
    time += pause;
    const process = fleet.processes[index % size]!;
    fleet.simulation.at(time, () => {
      check(fleet);
      if (operation.kind === 'consume') void fleet.consume(process, operation.group);
      else if (operation.kind === 'refund') void fleet.refund(operation.which);
      else if (operation.kind === 'state') process.far.state = operation.state;
      else {
        fleet.resets += 1;
        void process.store.reset([`rl:{one}:${operation.tier}`]);
      }
    });
  }
  await fleet.simulation.run();
  return fleet;
}

/** All leased units return. */
async function end(fleet: Fleet): Promise<void> {
  for (const { far, release } of fleet.processes) {
    far.state = 'works';
    void release();
  }
  await fleet.simulation.run();
}

describe('deny cache, lease and fallback together', () => {
  let emitWarning: jest.SpyInstance;

  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask', 'performance', 'Date'] });
    emitWarning = jest.spyOn(process, 'emitWarning').mockImplementation();
  });

  afterEach(() => {
    emitWarning.mockRestore();
    jest.useRealTimers();
  });

  it('charge what they admit, at most the limit, and nothing else in the end', async () => {
    await fc.assert(
      fc.asyncProperty(histories({ weight: 3, arbitrary: refunds }), async (history) => {
        const fleet = await run(history, ({ charged }) => {
          for (const [tier, units] of charged) expect(units).toBeLessThanOrEqual(limits[tier]![0]!);
        });
        for (const [tier, units] of fleet.charged) {
          expect(fleet.used(tier)).toBeGreaterThanOrEqual(units);
          expect(fleet.used(tier)).toBeLessThanOrEqual(units + history.size * MAX_UNITS);
        }

        await end(fleet);

        for (const tier of Object.keys(limits)) expect(fleet.used(tier)).toBe(fleet.charged.get(tier) ?? 0);
      }),
      { numRuns: 12, endOnFailure: true },
    );
  });

  it('deny no request that the store would admit, once all calls have ended', async () => {
    await fc.assert(
      fc.asyncProperty(histories({ weight: 3, arbitrary: refunds }), async (history) => {
        const fleet = await run({ ...history, size: 1 });
        await end(fleet);

        for (const [tier, [limit]] of Object.entries(limits)) {
          const isLeft = fleet.used(tier) < limit!;
          const answer = fleet.consume(fleet.processes[0]!, [claimOf(tier, limit!, 1)]);
          await fleet.simulation.run();
          expect((await answer).outcomes[0]!.allowed).toBe(isLeft);
        }
      }),
      { numRuns: 12, endOnFailure: true },
    );
  });

  it('charge every admitted request in a store that fails at times, and no leased unit locally', async () => {
    await fc.assert(
      fc.asyncProperty(
        histories({ weight: 3, arbitrary: refunds }, { weight: 2, arbitrary: states }),
        async (history) => {
          const fleet = await run(history, ({ charged }) => {
            for (const [tier, units] of charged) expect(units).toBeLessThanOrEqual(limits[tier]![0]!);
          });
          await end(fleet);

          for (const [tier, units] of fleet.charged) expect(fleet.used(tier)).toBeGreaterThanOrEqual(units);
          for (const [tier, [limit]] of Object.entries(limits)) {
            const here = fleet.processes.map(({ local }) => local.peek([claimOf(tier, limit!, 0)]).outcomes[0]!);
            const used = here.reduce((sum, outcome) => sum + outcome.limit - outcome.remaining, 0);
            expect(used).toBe(fleet.chargedLocally.get(tier) ?? 0);
          }
        },
      ),
      { numRuns: 12, endOnFailure: true },
    );
  });

  it('admit a new limit after each reset, and the leased units of each process', async () => {
    await fc.assert(
      fc.asyncProperty(histories({ weight: 1, arbitrary: resets }), async (history) => {
        const fleet = await run(history);
        await end(fleet);

        for (const [tier, units] of fleet.charged) {
          const [limit] = limits[tier]!;
          expect(units).toBeLessThanOrEqual(limit! + fleet.resets * (limit! + history.size * MAX_UNITS));
          expect(fleet.used(tier)).toBeLessThanOrEqual(limit!);
        }
      }),
      { numRuns: 12, endOnFailure: true },
    );
  });
});
