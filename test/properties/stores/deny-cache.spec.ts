import * as fc from 'fast-check';
import { definePolicy, type MaybePromise, type Policy, type PolicyOptions } from '@sluice/core';
import type { Claim, Receipt } from '@sluice/core/own-store';
import { DenyCache } from '../../../packages/core/src/stores/between-processes/deny-cache.js';
import { claim } from '../../support/claim.js';
import { FarStore, Simulation } from './far-store.js';
import { behindDenyCache } from '../../support/layered-stores.js';

/** Policies that share a state, as those of a limit function do. The last one is the widest. */
const families = (
  [
    [
      { algorithm: 'fixed-window', limit: 3, window: '1s' },
      { algorithm: 'fixed-window', limit: 5, window: '1s' },
    ],
    [{ algorithm: 'fixed-window', limit: 3, window: '1s', anchor: 'clock' }],
    [
      { algorithm: 'sliding-window', limit: 4, window: '2s' },
      { algorithm: 'sliding-window', limit: 6, window: '2s' },
    ],
    [{ algorithm: 'sliding-window', limit: 4, window: '2s', precision: 4 }],
    [{ algorithm: 'sliding-window', limit: 4, window: '2s', strict: true }],
    [{ algorithm: 'sliding-window-log', limit: 3, window: '1s' }],
    [
      { algorithm: 'token-bucket', limit: 7, window: '2s', burst: 2 },
      { algorithm: 'token-bucket', limit: 7, window: '2s', burst: 5 },
    ],
    [{ algorithm: 'leaky-bucket', limit: 5, window: '1s', queue: 2 }],
    [
      {
        algorithm: 'multi-window',
        windows: [
          { limit: 2, window: '500ms' },
          { limit: 5, window: '2s' },
        ],
      },
    ],
  ] satisfies PolicyOptions[][]
).map((family) => family.map((options) => definePolicy(options)));

function claimOf(policy: Policy, cost: number, key: number): Claim {
  return claim({ tier: `${policy.dimensions} of ${key}`, key: `rl:{${key}}:${policy.dimensions}`, policy, cost });
}

/** Other processes correct no state, because this one would see it as late as their refunds. */
function widest(charged: Claim): Claim {
  const family = families.find((policies) => policies.includes(charged.policy))!;
  return { ...charged, policy: family.at(-1)! };
}

/** Requests of few keys, so that they collide. */
const histories = fc.uniqueArray(fc.constantFrom(...families), { minLength: 1, maxLength: 2 }).chain((chosen) => {
  const claims = fc
    .record({ policy: fc.constantFrom(...chosen.flat()), cost: fc.integer({ min: 1, max: 3 }) })
    .map(({ policy, cost }) => claimOf(policy, cost, 0));
  const groups = fc.uniqueArray(claims, { minLength: 1, maxLength: 2, selector: ({ key }) => key });
  const operations = fc.oneof(
    { weight: 8, arbitrary: fc.record({ kind: fc.constant('consume' as const), group: groups }) },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('other' as const), group: groups }) },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('refund' as const), which: fc.nat(50) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('reset' as const), group: groups }) },
  );
  // Tenths of milliseconds, to test the direction of rounding.
  const pause = fc.oneof(fc.nat(100), fc.nat(3_000)).map((tenths) => tenths / 10);
  return fc.array(fc.tuple(pause, operations), { minLength: 20, maxLength: 60 });
});

const latencies = fc.array(
  fc.nat(300).map((tenths) => tenths / 10),
  { minLength: 1, maxLength: 20 },
);

describe('denyLayer', () => {
  it('denies no request that the store would admit, with any other calls and any latency', async () => {
    let answered = 0;
    await fc.assert(
      fc.asyncProperty(histories, latencies, async (history, delays) => {
        const simulation = new Simulation();
        let calls = 0;
        const far = new FarStore(simulation, () => delays[(calls += 1) % delays.length]!);
        const cache = behindDenyCache(far, new DenyCache(() => simulation.now));
        const receipts: Receipt[] = [];
        // A refund in flight may have happened already.
        const changing = new Map<string, number>();
        const change = async (keys: readonly string[], given: MaybePromise<unknown>) => {
          for (const key of keys) changing.set(key, (changing.get(key) ?? 0) + 1);
          await given;
          for (const key of keys) changing.set(key, changing.get(key)! - 1);
        };
        let again = 100;
        // The order of two answers under different limits is unknown here.
        const inFlight = new Map<string, Policy[]>();
        const mixed = new Set<string>();
        const consume = async (group: readonly Claim[]) => {
          for (const { key, policy } of group) {
            const others = inFlight.get(key) ?? [];
            if (others.some((other) => other !== policy)) mixed.add(key);
            inFlight.set(key, [...others, policy]);
          }
          const answer = await cache.consume(group);
          for (const { key, policy } of group) {
            const others = inFlight.get(key)!;
            inFlight.set(key, others.toSpliced(others.indexOf(policy), 1));
          }
          receipts.push(...answer.receipts);
          const waits = answer.outcomes.filter(({ allowed, never }) => !allowed && !never);
          for (const { retryAfter } of waits) {
            // A denied client returns after retryAfter, or a moment earlier.
            for (const early of [0.2, 1.3])
              if ((again -= 1) > 0) simulation.at(simulation.now + retryAfter - early, () => void consume(group));
          }
          if (answer.source !== 'deny-cache') return;
          for (const outcome of answer.outcomes) {
            const checked = group.find(({ tier }) => tier === outcome.tier)!;
            if (changing.get(checked.key) || mixed.has(checked.key)) continue;
            answered += 1;
            const [now] = far.near.peek([checked]).outcomes;
            expect({ outcome, now }).toMatchObject({ now: { allowed: false } });
            // retryAfter is at most that of the store, plus a latency of 60 ms.
            expect(outcome.retryAfter).toBeLessThanOrEqual(now!.retryAfter + 61);
          }
        };

        let time = 0;
        for (const [pause, operation] of history) {
          time += pause;
          simulation.at(time, () => {
            if (operation.kind === 'consume') void consume(operation.group);
            else if (operation.kind === 'other') far.near.consume(operation.group.map(widest));
            else if (operation.kind === 'reset') {
              const keys = operation.group.map(({ key }) => key);
              void change(keys, cache.reset(keys));
            } else if (receipts.length > 0) {
              const receipt = receipts.splice(operation.which % receipts.length, 1)[0]!;
              void change([receipt.key], cache.refund([receipt]));
            }
          });
        }
        await simulation.run();
      }),
      { numRuns: 100 },
    );
    expect(answered).toBeGreaterThan(500);
  });
});
