import { createLimiter } from '../../limiter/limiter.js';
import type { LimiterOptions } from '../../limiter/limiter-options.js';
import type { Tier } from '../../limiter/tiers/tier.js';
import { memoryStore } from '../../stores/memory/memory-store.js';
import { quotaPoliciesOf } from './quota-policy.js';
import { reportedTiers, type LimiterDecision } from './reported-tiers.js';

const minute: Tier<unknown> = { name: 'minute', key: () => 'ada', limit: 60, window: '1m' };
const hour: Tier<unknown> = { name: 'hour', key: () => 'ada', limit: 100, window: '1h' };

describe('toldTiers', () => {
  it('C9 tells all tiers of a limiter, largest first', async () => {
    expect(names([await counted({ tiers: [minute, hour] })])).toEqual(['hour', 'minute']);
  });

  it('C10 tells the tiers of all limiters, in the order that they have counted', async () => {
    const all = [await counted({ tiers: [minute] }), await counted({ tiers: [hour] })];

    expect(names(all)).toEqual(['minute', 'hour']);
  });

  it('tells no shadow tier', async () => {
    expect(names([await counted({ tiers: [minute, { ...hour, mode: 'shadow' }] })])).toEqual(['minute']);
  });

  it('C8 tells tiers of one name apart by a number, where they lie in stores of their own', async () => {
    const all = [
      await counted({ tiers: [minute] }),
      await counted({ tiers: [{ ...minute, limit: 30 }] }),
      await counted({ tiers: [{ ...minute, limit: 20 }] }),
    ];

    expect(names(all)).toEqual(['minute', 'minute-2', 'minute-3']);
    expect(reportedTiers(all).map(({ outcome }) => outcome.limit)).toEqual([60, 30, 20]);
  });

  it('C8 takes no number for a tier that another tier is called by', async () => {
    const all = [
      await counted({ tiers: [minute, { ...hour, name: 'minute-2' }] }),
      await counted({ tiers: [{ ...minute, limit: 30 }] }),
    ];

    expect(names(all)).toEqual(['minute-2', 'minute', 'minute-3']);
  });

  it('C8 tells a tier apart that is called what a window of another one is told by', async () => {
    const windows = [
      { limit: 10, window: '1s' },
      { limit: 100, window: '1m' },
    ] as const;
    const pages: Tier<unknown> = { name: 'pages', key: () => 'ada', algorithm: 'multi-window', windows };

    const told = names([await counted({ tiers: [pages, { ...minute, name: 'pages/1s', window: '10s' }] })]);

    expect(told).toEqual(['pages/1m', 'pages/1s', 'pages/1s-2']);
  });

  it('C8 tells names apart that are too long to be told in full', async () => {
    const name = 'x'.repeat(64);
    const limits = Array.from({ length: 12 }, (_, index) => 100 - index);

    const told = names(await Promise.all(limits.map((limit) => counted({ tiers: [{ ...minute, name, limit }] }))));

    expect(new Set(told).size).toBe(12);
    expect(told.at(-1)).toBe(`${'x'.repeat(61)}-12`);
  });

  it('tells a tier once that two limiters share, by the answer with less left', async () => {
    const store = memoryStore();
    const all = [await counted({ store, tiers: [minute, hour] }), await counted({ store, tiers: [minute] })];

    const told = reportedTiers(all);

    expect(told.map(({ outcome: { tier, remaining } }) => [tier, remaining])).toEqual([
      ['hour', 99],
      ['minute', 58],
    ]);
  });

  it('tells of a shared tier that it denies, also when another limiter has a later answer', async () => {
    const store = memoryStore();
    const denied = await counted({ store, tiers: [minute] }, 60, 1);
    const read = await counted({ store, tiers: [minute] }, 0);

    for (const all of [
      [denied, read],
      [read, denied],
    ]) {
      expect(reportedTiers(all)).toMatchObject([{ outcome: { allowed: false } }]);
    }
  });

  it('tells a limiter that has counted twice once', async () => {
    const limiter = createLimiter({ tiers: [minute] });
    const [first, second] = [await limiter.consume({}), await limiter.consume({})];

    const told = reportedTiers([first, second].map((decision) => ({ limiter, decision })));

    expect(told).toMatchObject([{ outcome: { remaining: 58 } }]);
  });
});

/** What counts when a limiter was asked for these costs, one after the other: the last decision. */
async function counted(options: LimiterOptions<unknown>, ...costs: number[]): Promise<LimiterDecision> {
  const limiter = createLimiter(options);
  let decision = await limiter.consume({}, { cost: costs[0] });
  for (const cost of costs.slice(1)) decision = await limiter.consume({}, { cost });
  return { limiter, decision };
}

function names(all: readonly LimiterDecision[]): string[] {
  return reportedTiers(all).flatMap(({ name: label, policy, outcome }) =>
    quotaPoliciesOf(label, policy, outcome.limit).map(({ name }) => name),
  );
}
