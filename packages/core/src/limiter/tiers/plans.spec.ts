import { memoryStore } from '../../stores/memory/memory-store.js';
import { createLimiter } from '../limiter.js';
import type { Tier } from './tier.js';

type Tenant = { plan: 'free' | 'paid' };

const hour: Tier<unknown> = { name: 'hour', key: () => 'ada', limit: 10, window: '1h' };

describe('plans', () => {
  it('are checked once for each array that there is', async () => {
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

  it('that are made anew each time still share one budget', () => {
    const limiter = createLimiter({ tiers: () => [{ ...hour }] });

    const decisions = [limiter.consume({}), limiter.consume({})];

    expect(decisions).toMatchObject([{ outcomes: [{ remaining: 9 }] }, { outcomes: [{ remaining: 8 }] }]);
  });

  it('without tiers let everybody through, and ask no store', async () => {
    const plans = { free: [hour], paid: [] };
    const limiter = createLimiter<Tenant>({ tiers: ({ plan }) => plans[plan] });

    const decision = await limiter.consume({ plan: 'paid' });

    expect(decision).toMatchObject({ allowed: true, reason: 'ok', outcomes: [], source: 'none' });
  });

  it('that are made anew for each request are warned of, once', async () => {
    const warn = jest.spyOn(process, 'emitWarning').mockImplementation();
    const limiter = createLimiter({ tiers: () => [{ ...hour, limit: 1_000 }] });

    for (let count = 0; count < 250; count += 1) await limiter.consume({});

    const options = expect.objectContaining({ type: 'SluiceWarning', code: 'SLUICE_TIERS_NOT_REUSED' });
    expect(warn.mock.calls).toEqual([[expect.stringContaining('create the array of each plan once'), options]]);
    warn.mockRestore();
  });

  it.each<[string, unknown, string]>([
    ['no array', undefined, 'limiter: tiers must be an array of 1 to 32 tiers, got undefined'],
    ['a wrong tier', [{ ...hour, limit: 0 }], 'tier "hour" (sliding-window): limit must be an integer'],
    ['a tier without a name', [{ ...hour, name: undefined }], 'tier: name must be given'],
  ])('reject with UsageError for %s', async (_what, tiers, rule) => {
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

  it('of one limiter give a name other limits, and whoever changes plans keeps what is used', async () => {
    const plans = { free: [hour], paid: [{ ...hour, limit: 100 }] };
    const limiter = createLimiter<Tenant>({ tiers: async ({ plan }) => plans[plan] });
    await limiter.consume({ plan: 'free' });

    const paid = await limiter.consume({ plan: 'paid' });

    expect(paid.binding).toMatchObject({ limit: 100, remaining: 98 });
  });

  it('of two limiters on one store cannot give a name other limits', async () => {
    const store = memoryStore();
    createLimiter({ store, tiers: [hour] });
    const limiter = createLimiter({ store, tiers: () => paid });
    const paid = [{ ...hour, limit: 100 }];

    const decision = limiter.consume({});

    await expect(decision).rejects.toMatchObject({ name: 'UsageError', cause: { code: 'TIER_NAME_TAKEN' } });
  });

  it('cannot give a name another window', async () => {
    const plans = { free: [hour], paid: [{ ...hour, window: '1d' as const }] };
    const limiter = createLimiter<Tenant>({ tiers: async ({ plan }) => plans[plan] });
    await limiter.consume({ plan: 'free' });

    const paid = limiter.consume({ plan: 'paid' });

    await expect(paid).rejects.toMatchObject({ name: 'UsageError', cause: { code: 'TIER_NAME_TAKEN' } });
  });
});
