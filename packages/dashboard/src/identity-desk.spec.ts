import { createLimiter, memoryStore } from '@sluice/core';
import { overridesOf } from '@sluice/policies/overrides';
import { fakeClock } from '@sluice/testing';
import { IdentityDesk } from './identity-desk.js';
import { balance, creditsOf, usage } from '@sluice/quotas';

const ADA = { kind: 'key', values: ['ada'] };

function scene() {
  const clock = fakeClock(Date.UTC(2026, 0, 1));
  const store = memoryStore({ clock });
  const limiter = createLimiter<string>({ store, name: 'minute', key: (user) => user, limit: 2, window: '1m' });
  return { clock, store, limiter, desk: new IdentityDesk(store, () => undefined) };
}

/** A client whose month is followed by 5 units that it has paid for. */
async function sceneWithCredits() {
  const { store, desk } = scene();
  const key = (user: string) => user;
  const month = { name: 'month', key, limit: 1, window: '1d' } as const;
  const credits = { name: 'credits', key, algorithm: balance({ covers: ['month'] }) } as const;
  const limiter = createLimiter<string>({ store, tiers: [month, credits] });
  await creditsOf(limiter).credit('ada', 5, { id: 'invoice 1' });
  return { desk, limiter };
}

describe('IdentityDesk', () => {
  it('names the milliseconds after which a denied client is admitted, and not one sooner', async () => {
    const { clock, limiter, desk } = scene();
    await limiter.consume('ada');
    clock.advance(10_500);
    await limiter.consume('ada');
    await limiter.consume('ada');

    const { tiers } = await desk.look(ADA);
    const { retryAfter, allowed, remaining } = tiers[0]!;
    clock.advance(retryAfter! - 1);
    const before = await limiter.consume('ada');
    clock.advance(1);
    const then = await limiter.consume('ada');

    expect([allowed, remaining, retryAfter]).toEqual([false, 0, 49_500]);
    expect([before.allowed, then.allowed]).toEqual([false, true]);
  });

  it('says which override decides, also of an identity that has sent nothing', async () => {
    const { clock, limiter, desk } = scene();
    jest.spyOn(Date, 'now').mockImplementation(clock);
    const override = { tier: 'minute', identity: 'ada', reason: 'ticket 4711' };
    overridesOf(limiter).replace([{ ...override, limit: 0, until: clock() + 5_000 }]);

    const { tiers } = await desk.look(ADA);
    jest.restoreAllMocks();

    expect(tiers).toMatchObject([{ allowed: false, retryAfter: 5_000 }]);
    expect(tiers[0]!.reasons).toEqual(['override, until 00:00:05.000 UTC: limit 0: no request fits (ticket 4711)']);
  });

  it('shows what a balance holds, and what it pays for', async () => {
    const { desk } = await sceneWithCredits();

    const { tiers } = await desk.look(ADA);

    expect(tiers.find(({ tier }) => tier === 'credits')).toMatchObject({
      policy: 'a balance, in the place of month',
      allowed: true,
      remaining: 5,
      reasons: ['balance: 5 units left, to pay for month'],
      balance: { text: 'It can pay for month', isEnough: true },
    });
  });

  it('says of a used-up balance that it pays for nothing, beside a month that denies', async () => {
    const { desk, limiter } = await sceneWithCredits();
    for (let request = 0; request < 6; request += 1) await limiter.consume('ada');

    const { tiers } = await desk.look(ADA);

    expect(tiers.find(({ tier }) => tier === 'month')).toMatchObject({ allowed: false });
    expect(tiers.find(({ tier }) => tier === 'credits')).toMatchObject({
      remaining: 0,
      balance: { text: 'No credits left: it pays for nothing', isEnough: false },
    });
  });

  it('forgets what a client has used, and leaves a balance that it has paid for', async () => {
    const { desk, limiter } = await sceneWithCredits();
    await limiter.consume('ada');

    const { tiers } = await desk.forget(ADA, {});

    expect(tiers).toEqual(['month']);
    expect((await limiter.inspect('ada')).map(({ outcome }) => outcome.remaining)).toEqual([1, 5]);
  });

  it('shows what a client has used, also when its window is over', async () => {
    const { store, desk, clock } = scene();
    const tier = { key: (user: string) => user, algorithm: 'fixed-window', limit: 9, window: '1m' } as const;
    const limiter = createLimiter<string>({ store, tiers: [{ ...tier, name: 'counted', usage: usage() }] });
    await limiter.consume('ada', { cost: 3 });
    const during = (await desk.look(ADA)).tiers;
    clock.advance('2h');

    const after = (await desk.look(ADA)).tiers;

    expect([during, after].map((tiers) => tiers.map((look) => [look.tier, look.remaining]))).toEqual([
      [['counted', 6]],
      [['counted', 9]],
    ]);
    expect(during[0]!.reasons).toContain('usage: 3 units in this hour, 3 in 24 hours, 3 in 62 days');
    expect(after[0]!.reasons).toContain('usage: 0 units in this hour, 3 in 24 hours, 3 in 62 days');
  });

  it('says which tiers it cannot read without a partition', async () => {
    const { store, desk } = scene();
    const key = () => 'ada';
    createLimiter<object>({ store, partition: () => 'acme', tiers: [{ name: 'shop', key, limit: 1, window: '1m' }] });

    const { tiers, notes } = await desk.look(ADA);

    expect(tiers).toEqual([]);
    expect(notes).toEqual(['not read: shop. Their keys have a partition: add the partition']);
  });

  it('shows no numbers of a tier that plans give several limits', async () => {
    const { store, desk } = scene();
    const key = (user: string) => user;
    const plans = [1, 100].map((limit) => [{ name: 'plan', key, limit, window: '1h' }]);
    const limiter = createLimiter<string>({ store, tiers: (user) => plans[user === 'ada' ? 1 : 0]! });
    for (const user of ['ada', 'bob']) await limiter.consume(user);

    const { tiers, notes } = await desk.look(ADA);

    expect(tiers).toEqual([]);
    expect(notes).toEqual(['plan has a state, and its limit depends on the request']);
    expect(await desk.forget(ADA, {})).toMatchObject({ tiers: ['plan'] });
  });

  it.each([
    [
      'an entry that is in no list',
      { tier: 'minute', digest: 'AAAAAAAA' },
      'this identity is not in the list any more',
    ],
    ['no kind', { values: ['ada'] }, 'send kind and values, or tier and digest'],
    ['a value that is no text', { kind: 'key', values: [7] }, 'send kind and values, or tier and digest'],
    ['a value that is no identity', { kind: 'ip', values: ['ada'] }, 'ip: the value is not an identity of this kind'],
  ])('refuses %s', async (_what, body, message) => {
    const { desk } = scene();

    await expect(desk.look(body)).rejects.toThrow(message);
  });
});
