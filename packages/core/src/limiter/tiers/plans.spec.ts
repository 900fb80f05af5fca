import { warningCatcher } from '../../../../../test/support/warnings.js';
import { limitersOf } from '../limiter-view.js';
import { memoryStore } from '../../stores/memory/memory-store.js';
import { createLimiter } from '../limiter.js';
import type { Tier } from './tier.js';

type Tenant = { plan: 'free' | 'paid' };

const hour: Tier<unknown> = { name: 'hour', key: () => 'ada', limit: 10, window: '1h' };

describe('Plans', () => {
  it('checks each array of tiers once', async () => {
    let reads = 0;
    const counted = {
      ...hour,
      get window() {
        reads += 1;
        return '1h' as const;
      },
    };
    const plans = { free: [counted], paid: [{ ...hour, name: 'paid hour' }] };
    const limiter = createLimiter<Tenant>({ tiers: ({ plan }) => plans[plan] });
    await limiter.consume({ plan: 'free' });
    const readOnce = reads;

    await limiter.consume({ plan: 'paid' });
    for (let count = 0; count < 5; count += 1) await limiter.consume({ plan: 'free' });

    expect(readOnce).toBeGreaterThan(0);
    expect(reads).toBe(readOnce);
  });

  it('checks the arrays that a function carries at the start, and knows their tiers before a request', async () => {
    const choose = (tiers: Tier<unknown>[]) => Object.assign(() => tiers, { plans: [tiers] });
    const limiter = createLimiter<unknown>({ tiers: choose([hour]) });

    expect((await limiter.of('ada').inspect()).map(({ outcome }) => outcome.tier)).toEqual(['hour']);
    expect(() => createLimiter<unknown>({ tiers: choose([{ ...hour, limit: 0 }]) })).toThrow(
      /limit must be at least 1/,
    );
  });

  describe('with a list of plans', () => {
    const warnings = warningCatcher();
    const free = [hour];
    const paid = [
      { ...hour, name: 'paid hour' },
      { ...hour, name: 'paid day' },
    ];
    const unlisted =
      'limiter: the function tiers has returned a plan that plans does not list, with the tiers "paid hour", "paid day": it is checked at its first request, and operators do not see it before. Add its array to plans';
    const of = (plan: string) => (plan === 'free' ? free : plan === 'none' ? [] : paid);

    it.each<[string, object]>([
      ['the option', { tiers: of, plans: [free] }],
      ['the function', { tiers: Object.assign(async (plan: string) => of(plan), { plans: [free] }) }],
    ])('warns once of a plan that is not listed, with its tiers: %s', async (_where, options) => {
      const limiter = createLimiter<string>(options as never);

      for (const plan of ['free', 'none', 'paid', 'paid']) await limiter.consume(plan);

      expect(warnings()).toEqual([['SLUICE_PLAN_NOT_LISTED', unlisted]]);
    });

    it.each<[string, object]>([
      ['that lists all', { plans: [free, paid] }],
      ['that does not exist', {}],
    ])('warns of no plan with a list %s', async (_what, plans) => {
      const limiter = createLimiter<string>({ tiers: of, ...plans });

      for (const plan of ['free', 'none', 'paid']) await limiter.consume(plan);

      expect(warnings()).toEqual([]);
    });

    it('warns of no tiers that its function only peeks at', async () => {
      const limiter = createLimiter<string>({
        tiers: async (subject, limits) => ((await limits.peek(paid, subject)).allowed ? free : []),
        plans: [free],
      });

      await limiter.consume('ada');

      expect(warnings()).toEqual([]);
    });
  });

  it('lets a function peek at other tiers of its limiter, which charges nothing', async () => {
    const [own, spare] = [[{ ...hour, limit: 1 }], [{ ...hour, name: 'spare', limit: 1 }]];
    const limiter = createLimiter<unknown>({
      tiers: async (subject, limits) => ((await limits.peek(own, subject)).allowed ? own : spare),
    });

    const decisions = [await limiter.consume({}), await limiter.consume({}), await limiter.consume({})];

    expect(decisions.map(({ allowed, outcomes }) => [allowed, outcomes[0]!.tier])).toEqual([
      [true, 'hour'],
      [true, 'spare'],
      [false, 'spare'],
    ]);
  });

  it('shares one budget between new arrays of equal tiers, and warns of them once', async () => {
    const warn = jest.spyOn(process, 'emitWarning').mockImplementation();
    const limiter = createLimiter({ tiers: () => [{ ...hour, limit: 1_000 }] });

    for (let count = 0; count < 250; count += 1) await limiter.consume({});

    const options = expect.objectContaining({ type: 'SluiceWarning', code: 'SLUICE_TIERS_NOT_REUSED' });
    expect(warn.mock.calls).toEqual([[expect.stringContaining('create the array of each plan once'), options]]);
    expect(limiter.peek({})).toMatchObject({ outcomes: [{ remaining: 750 }] });
    warn.mockRestore();
  });

  it('admits every subject of a plan without tiers, and calls no store', async () => {
    const plans = { free: [hour], paid: [] };
    const limiter = createLimiter<Tenant>({ tiers: ({ plan }) => plans[plan] });

    const decision = await limiter.consume({ plan: 'paid' });

    expect(decision).toMatchObject({ allowed: true, reason: 'ok', outcomes: [], source: 'none' });
  });

  it('knows the plans of the option plans before a request, and checks them at the start', () => {
    const store = memoryStore();
    const paid = [{ ...hour, name: 'paid' }];
    const listed = createLimiter({ store, tiers: () => paid, plans: [paid, []] });
    const open = createLimiter({ store, tiers: () => paid });
    const views = limitersOf(store).map(({ tiers, hasOtherTiers }) => [tiers.map(({ name }) => name), hasOtherTiers]);

    expect([listed, open]).toHaveLength(2);
    expect(views).toEqual([
      [['paid'], false],
      [[], true],
    ]);
    expect(() => createLimiter({ tiers: () => paid, plans: [[{ ...hour, limit: 0 }]] })).toThrow(
      expect.objectContaining({ name: 'ConfigError', code: 'LIMIT_INVALID' }),
    );
  });

  it('shares the budgets of a listed plan with the requests that use it', async () => {
    const paid = [{ ...hour, name: 'paid' }];
    const limiter = createLimiter({ tiers: () => paid, plans: [paid] });
    await limiter.consume({});

    expect(await limiter.of('ada').inspect()).toMatchObject([{ outcome: { tier: 'paid', remaining: 9 } }]);
  });

  it.each<[string, unknown, string]>([
    ['undefined', undefined, 'limiter: tiers must be an array of 1 to 32 tiers, got undefined'],
    ['an invalid tier', [{ ...hour, limit: 0 }], 'tier "hour" (sliding-window): limit must be at least 1'],
    ['a tier without a name', [{ ...hour, name: undefined }], 'tier: name must be given'],
  ])('rejects with UsageError for %s', async (_what, tiers, rule) => {
    const limiter = createLimiter({ store: memoryStore(), tiers: () => tiers as Tier<unknown>[] });

    for (const call of [limiter.consume({}), limiter.peek({}), limiter.reset({}), limiter.inspect({})]) {
      await expect(call).rejects.toMatchObject({
        name: 'UsageError',
        code: 'FUNCTION_FAILED',
        message: expect.stringContaining(`limiter: the function tiers returned invalid tiers: ${rule}`),
        cause: expect.objectContaining({ name: 'ConfigError' }),
      });
    }
  });

  it('keeps the usage of a subject that changes to a plan with another limit', async () => {
    const plans = { free: [hour], paid: [{ ...hour, limit: 100 }] };
    const limiter = createLimiter<Tenant>({ tiers: async ({ plan }) => plans[plan] });
    await limiter.consume({ plan: 'free' });

    expect((await limiter.consume({ plan: 'paid' })).binding).toMatchObject({ limit: 100, remaining: 98 });
  });

  it('rejects a tier name of another limiter of the store with another limit', async () => {
    const store = memoryStore();
    createLimiter({ store, tiers: [hour] });
    const limiter = createLimiter({ store, tiers: () => [{ ...hour, limit: 100 }] });

    await expect(limiter.consume({})).rejects.toMatchObject({ name: 'UsageError', cause: { code: 'TIER_NAME_TAKEN' } });
  });

  it('rejects a tier name of another plan with another window', async () => {
    const plans = { free: [hour], paid: [{ ...hour, window: '1d' as const }] };
    const limiter = createLimiter<Tenant>({ tiers: async ({ plan }) => plans[plan] });
    await limiter.consume({ plan: 'free' });

    const paid = limiter.consume({ plan: 'paid' });

    await expect(paid).rejects.toMatchObject({ name: 'UsageError', cause: { code: 'TIER_NAME_TAKEN' } });
  });
});
