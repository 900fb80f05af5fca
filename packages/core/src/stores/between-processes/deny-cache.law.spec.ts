import * as fc from 'fast-check';
import type { PolicyOptions } from '../../algorithms/named/policy-options.js';
import { claim as claimOf, everyPolicy } from '../../../../../test/support/claim.js';
import { RemoteStore } from '../../../../../test/support/remote-store.js';
import { DenyCache } from './deny-cache.js';
import { behindDenyCache } from '../../../../../test/support/layered-stores.js';

// For every algorithm: waiting `retryAfter` is enough for the cost that was denied, and less is not, whether the cache or
// the store has answered.

const LIMIT = 40;

interface Step {
  readonly cost: number;
  /** In thousandths of the window. */
  readonly pause: number;
}

function scene(policy: PolicyOptions) {
  const store = new RemoteStore();
  const cached = behindDenyCache(store, new DenyCache(store.clock));
  const base = claimOf({ policy });
  const unit = Math.ceil(base.policy.window / 1e6);
  /** The answer to a cost, and what the store would have answered at the same time. */
  const ask = async (cost: number) => {
    const claim = { ...base, cost };
    const { outcomes: truths } = store.memory.peek([claim]);
    const { outcomes, source } = await cached.consume([claim]);
    return { outcome: outcomes[0]!, truth: truths[0]!, source };
  };
  return { store, ask, unit };
}

const stepsOf = (costs: fc.Arbitrary<number>): fc.Arbitrary<Step[]> =>
  fc.array(fc.record({ cost: costs, pause: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.nat(30)) }), {
    minLength: 1,
    maxLength: 60,
  });
const anyCost = fc.integer({ min: 1, max: LIMIT });
const fourCosts = fc.tuple(anyCost, anyCost, anyCost, anyCost).chain((costs) => stepsOf(fc.constantFrom(...costs)));

describe.each(everyPolicy(LIMIT))('the deny cache of %s', (_name, policy) => {
  it('gives each of four costs its own wait, whatever was denied or admitted before', async () => {
    await fc.assert(
      fc.asyncProperty(fourCosts, async (steps) => {
        const { store, ask, unit } = scene(policy);
        for (const { cost, pause } of steps) {
          store.clock.advance(pause * unit);
          const { outcome, truth } = await ask(cost);

          expect(outcome.allowed).toBe(truth.allowed);
          expect(Math.abs(outcome.retryAfter - truth.retryAfter)).toBeLessThanOrEqual(1);
        }
      }),
      { numRuns: 30 },
    );
  });

  it('admits any cost after its wait, however many costs were denied before', async () => {
    await fc.assert(
      fc.asyncProperty(stepsOf(anyCost), anyCost, async (steps, last) => {
        const { store, ask, unit } = scene(policy);
        for (const { cost, pause } of [...steps, { cost: last, pause: 0 }]) {
          store.clock.advance(pause * unit);
          const { outcome, truth } = await ask(cost);

          expect(outcome.allowed).toBe(truth.allowed);
          expect(outcome.retryAfter).toBeGreaterThanOrEqual(truth.retryAfter - 1);
        }
        const { outcome } = await ask(last);
        if (outcome.allowed) return;
        store.clock.advance(outcome.retryAfter + 1);

        expect((await ask(last)).outcome.allowed).toBe(true);
      }),
      { numRuns: 30 },
    );
  });

  it('asks the store a bounded number of times for a client of rising costs', async () => {
    const { store, ask } = scene(policy);
    await ask(LIMIT);
    const before = store.groups.length;

    for (let round = 0; round < 20; round += 1) for (let cost = 1; cost <= LIMIT; cost += 1) await ask(cost);

    expect(store.groups.length - before).toBeLessThanOrEqual(16);
  });
});
