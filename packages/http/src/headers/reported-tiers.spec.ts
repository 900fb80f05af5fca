import type { LimiterOptions } from '../../../core/src/limiter/limiter-options.js';
import { createLimiter } from '../../../core/src/limiter/limiter.js';
import type { Tier } from '../../../core/src/limiter/tiers/tier.js';
import { memoryStore } from '../../../core/src/stores/memory/memory-store.js';
import { quotaPoliciesOf } from './quota-policy.js';
import { reportedTiers, type LimiterDecision } from './reported-tiers.js';

const minute: Tier<unknown> = { name: 'minute', key: () => 'ada', limit: 60, window: '1m' };
const hour: Tier<unknown> = { name: 'hour', key: () => 'ada', limit: 100, window: '1h' };

describe('reportedTiers', () => {
  it('C9 C10 returns the tiers of a limiter largest first, and limiters in the order of their decisions', async () => {
    expect(names([await decided({ tiers: [minute, hour] })])).toEqual(['hour', 'minute']);
    expect(names([await decided({ tiers: [minute] }), await decided({ tiers: [hour] })])).toEqual(['minute', 'hour']);
  });

  it('leaves shadow tiers out', async () => {
    expect(names([await decided({ tiers: [minute, { ...hour, mode: 'shadow' }] })])).toEqual(['minute']);
  });

  it('C8 numbers tiers of one name in different stores', async () => {
    const all = await Promise.all([60, 30, 20].map((limit) => decided({ tiers: [{ ...minute, limit }] })));

    expect(names(all)).toEqual(['minute', 'minute-2', 'minute-3']);
    expect(reportedTiers(all).map(({ outcome }) => outcome.limit)).toEqual([60, 30, 20]);
  });

  it('C8 skips numbers that make the name of another tier', async () => {
    const all = [
      await decided({ tiers: [minute, { ...hour, name: 'minute-2' }] }),
      await decided({ tiers: [{ ...minute, limit: 30 }] }),
    ];

    expect(names(all)).toEqual(['minute-2', 'minute', 'minute-3']);
  });

  it('C8 numbers a tier that has the name of a window of another tier', async () => {
    const windows = [
      { limit: 10, window: '1s' },
      { limit: 100, window: '1m' },
    ] as const;
    const pages: Tier<unknown> = { name: 'pages', key: () => 'ada', algorithm: 'multi-window', windows };

    const all = [await decided({ tiers: [pages, { ...minute, name: 'pages/1s', window: '10s' }] })];

    expect(names(all)).toEqual(['pages/1m', 'pages/1s', 'pages/1s-2']);
  });

  it('C8 keeps names apart that are cut to 64 characters', async () => {
    const name = 'x'.repeat(64);
    const limits = Array.from({ length: 12 }, (_, index) => 100 - index);

    const all = names(await Promise.all(limits.map((limit) => decided({ tiers: [{ ...minute, name, limit }] }))));

    expect(new Set(all).size).toBe(12);
    expect(all.at(-1)).toBe(`${'x'.repeat(61)}-12`);
  });

  it('returns a shared tier once, with the outcome that has less left', async () => {
    const store = memoryStore();
    const all = [await decided({ store, tiers: [minute, hour] }), await decided({ store, tiers: [minute] })];

    expect(reportedTiers(all).map(({ outcome: { tier, remaining } }) => [tier, remaining])).toEqual([
      ['hour', 99],
      ['minute', 58],
    ]);
  });

  it('returns a shared tier with the outcome that denies, in any order of decisions', async () => {
    const store = memoryStore();
    const denied = await decided({ store, tiers: [minute] }, 60, 1);
    const read = await decided({ store, tiers: [minute] }, 0);

    expect(reportedTiers([denied, read])).toMatchObject([{ outcome: { allowed: false } }]);
    expect(reportedTiers([read, denied])).toMatchObject([{ outcome: { allowed: false } }]);
  });

  it('returns a tier once for a limiter that decided twice', async () => {
    const limiter = createLimiter({ tiers: [minute] });
    const all = [await limiter.consume({}), await limiter.consume({})].map((decision) => ({ limiter, decision }));

    expect(reportedTiers(all)).toMatchObject([{ outcome: { remaining: 58 } }]);
  });
});

/** The last decision of a limiter about these costs. */
async function decided(options: LimiterOptions<unknown>, ...costs: number[]): Promise<LimiterDecision> {
  const limiter = createLimiter(options);
  let decision = await limiter.consume({}, { cost: costs[0] });
  for (const cost of costs.slice(1)) decision = await limiter.consume({}, { cost });
  return { limiter, decision };
}

function names(all: readonly LimiterDecision[]): string[] {
  return reportedTiers(all).flatMap(({ name, policy, outcome }) =>
    quotaPoliciesOf(name, policy, outcome).map((each) => each.name),
  );
}
