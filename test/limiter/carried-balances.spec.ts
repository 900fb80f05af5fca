import { createLimiter } from '@sluice/core';
import { carriedOf, CarriedCorrections, limiterBehind } from '@sluice/core/internal';
import { balance, creditsOf } from '@sluice/quotas';
import { newCaller, onEveryStore, type Caller } from './every-store.js';

const key = ({ user }: Caller) => user;

onEveryStore((newStore) => {
  async function paidByBoth(includedUnits = 10) {
    const limiter = createLimiter<Caller>({
      store: newStore(),
      tiers: [
        { name: 'month', key, algorithm: 'fixed-window', limit: 10, window: '1h' },
        { name: 'credits', key, algorithm: balance({ covers: ['month'], split: true }) },
      ],
    });
    const caller = newCaller();
    await creditsOf(limiter).credit(caller, 100, { id: 'bought' });
    if (includedUnits === 0) await limiter.consume(caller, { cost: 20 });
    const decision = await limiter.consume(caller, { cost: 25 });
    const charges = JSON.parse(JSON.stringify(carriedOf(limiter, decision))) as ReturnType<typeof carriedOf>;
    const left = async () => (await limiter.peek(caller)).outcomes.map(({ remaining }) => remaining);
    return { corrections: new CarriedCorrections(limiterBehind('refund', limiter).requests), charges, left };
  }

  it('gives each of two payers of one cost its own units back, in another process, too', async () => {
    const { corrections, charges, left } = await paidByBoth();

    const before = await left();
    const given = await corrections.refund(charges);

    expect({ before, given, after: await left() }).toEqual({ before: [0, 85], given: 25, after: [10, 100] });
  });

  it('settles a cost that two have paid as one, in another process, too', async () => {
    const { corrections, charges, left } = await paidByBoth();

    const charged = await corrections.settle(charges, 20);

    expect({ charged, left: await left() }).toEqual({ charged: -5, left: [0, 90] });
  });

  it('takes a charge by either name of a balance that has paid in the place of its tier', async () => {
    const { corrections, charges, left } = await paidByBoth(0);

    const given = await corrections.refund(charges, { month: 25 });

    expect({ given, left: await left() }).toEqual({ given: 25, left: [0, 90] });
  });

  it('takes the name of either payer for units to give back', async () => {
    const { corrections, charges, left } = await paidByBoth();

    const given = await corrections.refund(charges, { month: 20 });

    expect({ given, left: await left() }).toEqual({ given: 20, left: [5, 100] });
  });
});
