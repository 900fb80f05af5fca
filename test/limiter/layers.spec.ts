import * as fc from 'fast-check';
import { createLimiter, memoryStore, type Decision, type Limiter, type Store, type Tier } from '@sluice/core';
import { sharedLayers, type AbleStore } from '@sluice/core/own-store';

interface Subject {
  readonly user: string;
  readonly free: boolean;
}

const key = ({ user }: Subject) => user;

/** Tiers of all kinds. With a lease the process spends units by itself, so that one is not compared. */
const TIERS: readonly Tier<Subject>[] = [
  { name: 'fixed', algorithm: 'fixed-window', limit: 7, window: '1m', key },
  { name: 'clock', algorithm: 'fixed-window', anchor: 'clock', limit: 9, window: '1s', key: () => 'all' },
  { name: 'log', limit: 6, window: '10s', key },
  { name: 'slots', limit: 70, window: '10s', key, cost: 10 },
  { name: 'strict', limit: 70, window: '10s', strict: true, key, cost: 10 },
  { name: 'bucket', algorithm: 'token-bucket', limit: 5, window: '7s', burst: 8, key },
  { name: 'owed', algorithm: 'token-bucket', limit: 5, window: '7s', overdraft: 5, key },
  { name: 'queue', algorithm: 'leaky-bucket', limit: 5, window: '3s', queue: 4, key },
  { name: 'times', algorithm: 'sliding-window-log', limit: 5, window: '3s', key },
  {
    name: 'several',
    algorithm: 'multi-window',
    windows: [
      { limit: 3, window: '1s' },
      { limit: 9, window: '10s' },
    ],
    key,
  },
  { name: 'strikes', algorithm: 'backoff', limit: 2, window: '1m', delays: ['1s', '5s'], forgive: 'one', key },
  { name: 'ban', algorithm: 'backoff', limit: 3, window: '1m', delays: ['2s'], charge: 'denied', key },
  { name: 'tries', algorithm: 'fixed-window', limit: 20, window: '1m', charge: 'all', key },
  { name: 'shadow', algorithm: 'fixed-window', limit: 3, window: '1m', mode: 'shadow', key },
  { name: 'permits', algorithm: 'concurrency', limit: 3, hold: '1m', key },
  { name: 'held', algorithm: 'pause', key },
  { name: 'plan', algorithm: 'fixed-window', limit: ({ free }) => (free ? 0 : 8), window: '1m', key },
  { name: 'crossing', limit: ({ free }) => (free ? 5 : 70), window: '10s', key },
  { name: 'noted', algorithm: 'fixed-window', limit: 9, window: '1m', key, record: ({ user }) => `by ${user}` },
  { name: 'capped', algorithm: 'fixed-window', limit: 4, window: '1m', aboveFull: 'all', key },
];

const requests = fc.record({
  kind: fc.constant('request' as const),
  do: fc.constantFrom('consume' as const, 'consume' as const, 'consume' as const, 'peek' as const),
  user: fc.nat(2),
  free: fc.boolean(),
  cost: fc.constantFrom(1, 1, 1, 0, 2, 5),
});
const corrections = fc.record({
  kind: fc.constant('correction' as const),
  do: fc.constantFrom('refund' as const, 'settle' as const, 'extend' as const, 'release' as const),
  which: fc.nat(),
  units: fc.nat(5),
});
const operations = fc.record({
  kind: fc.constant('operation' as const),
  do: fc.constantFrom('pause' as const, 'reset' as const),
  user: fc.nat(2),
});
const passes = fc.record({
  kind: fc.constant('pass' as const),
  milliseconds: fc.constantFrom(1, 250, 999, 3_000, 10_000, 61_000),
});
const steps = fc.oneof(
  { weight: 8, arbitrary: requests },
  { weight: 3, arbitrary: corrections },
  { weight: 1, arbitrary: operations },
  { weight: 1, arbitrary: passes },
);
const scenarios = fc.record({
  tiers: fc.uniqueArray(fc.nat(TIERS.length - 1), { minLength: 1, maxLength: 5 }),
  steps: fc.array(steps, { minLength: 30, maxLength: 60 }),
});

type Step = typeof steps extends fc.Arbitrary<infer T> ? T : never;

/** A limiter with a clock of its own. */
class Place {
  now = 1_790_000_000_000;
  readonly limiter: Limiter<Subject>;
  readonly #decisions: Decision[] = [];
  readonly #names: readonly string[];

  constructor(tiers: readonly Tier<Subject>[], wrap: (store: AbleStore) => Store) {
    const store = wrap(memoryStore({ clock: () => this.now }));
    this.limiter = createLimiter({ store, tiers });
    this.#names = tiers.map(({ name }) => name!);
  }

  /** What a caller sees of a step. */
  async take(step: Step): Promise<unknown> {
    try {
      return await this.#take(step);
    } catch (error) {
      return (error as Error).message;
    }
  }

  async #take(step: Step): Promise<unknown> {
    const { limiter } = this;
    if (step.kind === 'pass') {
      this.now += step.milliseconds;
      return undefined;
    }
    if (step.kind === 'request') {
      const decision = await limiter[step.do]({ user: `user ${step.user}`, free: step.free }, { cost: step.cost });
      if (step.do === 'consume') this.#decisions.push(decision);
      // Where it was decided is the one difference.
      return { ...decision, source: undefined };
    }
    if (step.kind === 'operation') {
      const subject = { user: `user ${step.user}`, free: false };
      return step.do === 'pause' ? limiter.pause(subject, '2s') : limiter.reset(subject);
    }
    const decision = this.#decisions.at(step.which % Math.max(1, this.#decisions.length));
    if (decision === undefined) return undefined;
    if (step.do === 'extend') return limiter.extend(decision, { [this.#names[0]!]: step.units });
    if (step.do === 'release') return limiter.release(decision);
    return limiter[step.do](decision, step.units);
  }
}

/** Every layer of rates stands in front of a store of an application, and none that no tier needs before ours. */
function withAllLayers(store: AbleStore): AbleStore {
  return {
    layers: sharedLayers,
    consume: (group) => store.consume(group),
    peek: (group) => store.peek(group),
    refund: (receipts) => store.refund(receipts),
    renew: (receipts) => store.renew!(receipts),
    reset: (keys) => store.reset(keys),
    recorded: (name) => store.recorded!(name),
    close: () => store.close(),
  };
}

describe('a limiter with the layers that its tiers need', () => {
  it('decides and corrects as one with all layers', async () => {
    await fc.assert(
      fc.asyncProperty(scenarios, async ({ tiers, steps: all }) => {
        const chosen = tiers.map((tier) => TIERS[tier]!);
        const [lean, full] = [new Place(chosen, (store) => store), new Place(chosen, withAllLayers)];
        for (const step of all) {
          const [one, other] = [await lean.take(step), await full.take(step)];
          expect([step, one]).toEqual([step, other]);
        }
        await Promise.all([lean.limiter.close(), full.limiter.close()]);
      }),
      { numRuns: 60 },
    );
  });
});
