import { createLimiter, memoryStore, type Decision, type Limiter, type Store, type Tier } from '@sluice/core';
import { fakeClock } from '@sluice/testing';
import { newCaller, onEveryStore, type Caller } from './every-store.js';
import { fairBy } from '@sluice/overload/fair';
import { balance, creditsOf, usage } from '@sluice/quotas';
import { redisStore } from '@sluice/redis';

const key = ({ user }: Caller) => user;
const month = (limit: number, more: object = {}) =>
  ({ name: 'month', key, algorithm: 'fixed-window', limit, window: '1d', ...more }) as Tier<Caller>;
const burst: Tier<Caller> = { name: 'burst', key, algorithm: 'token-bucket', limit: 100, window: '1d' };
const credits: Tier<Caller> = { name: 'credits', key, algorithm: balance({ covers: ['month'] }) };

const planOf = (store: Store, ...tiers: Tier<Caller>[]) => createLimiter<Caller>({ store, tiers });

async function leftOf(limiter: Limiter<Caller>, caller: Caller): Promise<Record<string, number>> {
  const inspections = await limiter.inspect(caller);
  return Object.fromEntries(inspections.map(({ outcome }) => [outcome.tier, outcome.remaining]));
}

function facts({ allowed, paidBy, deniedBy, retryAfter }: Decision) {
  return { allowed, paidBy, deniedBy: [...deniedBy], waits: retryAfter > 0 };
}

onEveryStore((newStore) => {
  it('admits the included units, then what credits pay, then nothing', async () => {
    const limiter = planOf(newStore(), month(2), burst, credits);
    const caller = newCaller();
    expect(await creditsOf(limiter).credit(caller, 3, { id: 'invoice 1' })).toEqual({ balance: 3, isNew: true });

    const decisions: Decision[] = [];
    for (let request = 0; request < 6; request += 1) decisions.push(await limiter.consume(caller));

    const included = { allowed: true, paidBy: undefined, deniedBy: [], waits: false };
    const paid = { ...included, paidBy: 'credits' };
    const denied = { allowed: false, paidBy: undefined, deniedBy: ['month'], waits: true };
    expect(decisions.map(facts)).toEqual([included, included, paid, paid, paid, denied]);
    expect(decisions[5]!.retryAfter).toBeLessThanOrEqual(86_500_000);
    expect(await leftOf(limiter, caller)).toEqual({ month: 0, burst: 95, credits: 0 });
  });

  it('admits again in this process as soon as it has credits, also behind a cached denial', async () => {
    const limiter = planOf(newStore(), month(1), credits);
    const caller = newCaller();
    for (let request = 0; request < 3; request += 1) await limiter.consume(caller);

    await creditsOf(limiter).credit(caller, 1, { id: 'invoice 1' });

    expect(facts(await limiter.consume(caller))).toMatchObject({ allowed: true, paidBy: 'credits' });
    expect(facts(await limiter.consume(caller))).toMatchObject({ allowed: false, deniedBy: ['month'] });
  });

  it('settles no units of a balance without an account, and those of the other tiers', async () => {
    const limiter = planOf(newStore(), month(9), { name: 'credits', key, algorithm: balance() });
    const caller = newCaller();
    const decision = await limiter.consume(caller, { cost: 0 });

    expect(await limiter.settle(decision, { month: 4, credits: 3 })).toBe(4);
    expect(await leftOf(limiter, caller)).toEqual({ month: 5, credits: 0 });
  });

  it.each([
    ['of an empty balance', 0],
    ['whose credits would pay', 9],
  ])('yields units in flight to a caller %s, below its share', async (_which, bought) => {
    const [ada, bob, all] = [newCaller(), newCaller(), newCaller()];
    const fair = fairBy(({ user }: Caller) => user);
    const workers = {
      name: 'workers',
      key: () => all.user,
      algorithm: 'concurrency',
      limit: 2,
      cost: 1,
      fair,
    } as const;
    const limiter = planOf(newStore(), workers, month(9), credits);
    if (bought > 0) {
      await creditsOf(limiter).credit(bob, bought, { id: 'invoice 1' });
      await limiter.release(await limiter.consume(bob, { cost: 9 }));
    }
    const first = await limiter.consume(ada);
    await limiter.consume(ada);

    const denied = await limiter.consume(bob);
    await limiter.release(first);
    const decisions = [await limiter.consume(ada), await limiter.consume(bob)];

    expect(denied.deniedBy).toEqual(['workers']);
    expect(decisions.map(({ allowed }) => allowed)).toEqual([false, true]);
  });

  it('pays for a rate beside a limit in flight that callers share', async () => {
    const caller = newCaller();
    const fair = fairBy(({ user }: Caller) => user);
    const workers = { name: 'workers', key: () => caller.user, algorithm: 'concurrency', limit: 3, fair } as const;
    const limiter = planOf(newStore(), workers, month(2), burst, credits);
    const buy = (id: string) => creditsOf(limiter).credit(caller, 1, { id });
    await buy('invoice 1');

    const decisions = [await limiter.consume(caller), await limiter.consume(caller), await limiter.consume(caller)];
    await limiter.release(decisions[0]!);
    decisions.push(await limiter.consume(caller));
    await buy('invoice 2');
    decisions.push(await limiter.consume(caller), await limiter.consume(caller));

    const degraded = decisions.filter((each) => each.degraded);
    expect(degraded).toEqual([]);
    expect(decisions.map(({ paidBy, deniedBy }) => [paidBy, deniedBy])).toEqual([
      [undefined, []],
      [undefined, []],
      ['credits', []],
      [undefined, ['month']],
      ['credits', []],
      [undefined, ['month', 'workers']],
    ]);
    expect(await leftOf(limiter, caller)).toEqual({ workers: 0, month: 0, burst: 96, credits: 0 });
  });

  it('pays and counts usage beside a limit in flight that callers share', async () => {
    const caller = newCaller();
    const fair = fairBy(({ user }: Caller) => user);
    const workers = { name: 'workers', key: () => caller.user, algorithm: 'concurrency', limit: 6, fair } as const;
    const limiter = planOf(newStore(), workers, month(2), burst, { ...credits, usage: usage() });
    await creditsOf(limiter).credit(caller, 2, { id: 'invoice 1' });

    // What counts usage is decided by the script of all algorithms.
    const decisions = [];
    for (let turn = 0; turn < 3; turn += 1) decisions.push(await limiter.consume(caller, { cost: 2 }));

    expect(decisions.map(({ paidBy, deniedBy, degraded }) => [paidBy, deniedBy, degraded])).toEqual([
      [undefined, [], false],
      ['credits', [], false],
      [undefined, ['month'], false],
    ]);
  });

  it('gives back to the credits what they have paid, by refund and settle', async () => {
    const limiter = planOf(newStore(), month(1), burst, credits);
    const caller = newCaller();
    await creditsOf(limiter).credit(caller, 50, { id: 'invoice 1' });
    const reserve = (cost: number) => limiter.consume(caller, { cost });

    expect(await limiter.refund(await reserve(10))).toBe(20);
    expect(await limiter.refund(await reserve(10), { month: 4 })).toBe(4);
    expect(await limiter.settle(await reserve(10), 7)).toBe(-6);
    expect(await limiter.settle(await reserve(10), { month: 12 })).toBe(2);

    expect(await leftOf(limiter, caller)).toEqual({ month: 1, burst: 73, credits: 50 - 6 - 7 - 12 });
  });

  it('settles at most what the credits hold', async () => {
    const limiter = planOf(newStore(), month(1), credits);
    const caller = newCaller();
    await creditsOf(limiter).credit(caller, 10, { id: 'invoice 1' });

    const decision = await limiter.consume(caller, { cost: 4 });

    expect(await limiter.settle(decision, 400)).toBe(6);
    expect(await leftOf(limiter, caller)).toEqual({ month: 1, credits: 0 });
  });

  it('charges no credits for a settlement of a request that was included', async () => {
    const limiter = planOf(newStore(), month(10), credits);
    const caller = newCaller();
    await creditsOf(limiter).credit(caller, 10, { id: 'invoice 1' });
    const free = await limiter.consume(caller, { cost: 0 });
    const paid = await limiter.consume(caller, { cost: 2 });

    expect([await limiter.settle(free, 3), await limiter.settle(paid, 4)]).toEqual([3, 2]);
    expect(await leftOf(limiter, caller)).toEqual({ month: 3, credits: 10 });
  });

  it('meters a stream that credits pay by the name of the tier that they cover', async () => {
    const limiter = planOf(newStore(), month(1), credits);
    const caller = newCaller();
    await creditsOf(limiter).credit(caller, 20, { id: 'invoice 1' });
    const meter = limiter.meter(await limiter.consume(caller, { cost: 2 }), { tier: 'month', lot: 5 });

    const added = [await meter.add(4), await meter.add(10), await meter.add(5), await meter.add(4)];
    await meter.end();

    expect(added).toEqual([true, true, true, false]);
    expect(await leftOf(limiter, caller)).toEqual({ month: 1, credits: 0 });
  });

  it('pays in the place of a limit of 0', async () => {
    const limiter = planOf(newStore(), month(0, { limit: () => 0 }), credits);
    const caller = newCaller();
    await creditsOf(limiter).credit(caller, 1, { id: 'invoice 1' });

    const [paid, denied] = [await limiter.consume(caller), await limiter.consume(caller)];

    expect(paid.paidBy).toBe('credits');
    expect(paid.outcomes[0]).toMatchObject({ tier: 'month', coveredBy: 'credits', limit: 0, remaining: 0 });
    expect(denied).toMatchObject({ reason: 'denied', retryAfter: Infinity, deniedBy: ['month'] });
    expect(denied.outcomes[0]).toMatchObject({ tier: 'month', allowed: false, never: false });
  });

  it.each([false, true])(
    'denies a cost above the covered limit until a credit holds it, with split %s',
    async (split) => {
      const limiter = planOf(newStore(), month(3), { ...credits, algorithm: balance({ covers: ['month'], split }) });
      const caller = newCaller();
      await creditsOf(limiter).credit(caller, 8, { id: 'invoice 1' });

      const [denied, peeked] = [await limiter.consume(caller, { cost: 20 }), await limiter.peek(caller, { cost: 20 })];
      await creditsOf(limiter).credit(caller, 12, { id: 'invoice 2' });
      const admitted = await limiter.consume(caller, { cost: 20 });

      expect([denied.reason, peeked.reason, admitted.reason]).toEqual(['denied', 'denied', 'ok']);
      expect(denied.retryAfter).toBe(Infinity);
    },
  );

  it('never admits what no credit could pay, because one of the tiers that can never hold it has no balance', async () => {
    const minute = { ...burst, name: 'minute', limit: 3, window: '1m' } as Tier<Caller>;
    const limiter = planOf(newStore(), month(3), minute, credits);

    const denied = await limiter.consume(newCaller(), { cost: 20 });

    expect(denied).toMatchObject({ reason: 'never', deniedBy: ['month', 'minute'] });
  });

  it('is denied until a credit holds the cost, although a shadow tier that has no balance can never hold it', async () => {
    const minute = { ...burst, name: 'minute', limit: 3, window: '1m', mode: 'shadow' } as Tier<Caller>;
    const limiter = planOf(newStore(), month(3), minute, credits);

    const denied = await limiter.consume(newCaller(), { cost: 20 });

    expect(denied).toMatchObject({ reason: 'denied', retryAfter: Infinity, deniedBy: ['month'] });
  });

  it('takes the first balance that covers all tiers that deny', async () => {
    const day = { ...burst, name: 'day', limit: 1 } as Tier<Caller>;
    const gift: Tier<Caller> = { name: 'gift', key, algorithm: balance({ covers: ['month'] }) };
    const bought: Tier<Caller> = { name: 'bought', key, algorithm: balance({ covers: ['month', 'day'] }) };
    const limiter = planOf(newStore(), month(1), day, gift, bought);
    const caller = newCaller();
    await creditsOf(limiter).credit(caller, 1, { id: 'a', tier: 'gift' });
    await creditsOf(limiter).credit(caller, 2, { id: 'b', tier: 'bought' });

    const decisions: Decision[] = [];
    for (let request = 0; request < 4; request += 1) decisions.push(await limiter.consume(caller));

    // The day is full as soon as the month is.
    expect(decisions.map(({ paidBy, allowed }) => [allowed, paidBy])).toEqual([
      [true, undefined],
      [true, 'bought'],
      [true, 'bought'],
      [false, undefined],
    ]);
    expect(await leftOf(limiter, caller)).toEqual({ month: 0, day: 0, gift: 1, bought: 0 });
  });

  it('waits for a tier that credits do not cover, and not for the month that they would pay', async () => {
    const minute = { ...burst, name: 'minute', limit: 3, window: '1m' } as Tier<Caller>;
    const limiter = planOf(newStore(), month(1), minute, credits);
    const caller = newCaller();
    await creditsOf(limiter).credit(caller, 5, { id: 'invoice 1' });
    await limiter.consume(caller);
    await limiter.consume(caller, { cost: 2 });

    const denied = await limiter.consume(caller, { cost: 3 });
    const dear = await limiter.consume(caller, { cost: 4 });

    expect(facts(denied)).toEqual({ allowed: false, paidBy: undefined, deniedBy: ['minute'], waits: true });
    expect(denied.retryAfter).toBeLessThanOrEqual(60_000);
    // The month never has room for so many, and neither have the credits.
    expect(facts(dear)).toMatchObject({ deniedBy: ['month', 'minute'] });
  });

  it('lets a prepaid tier alone deny without a wait', async () => {
    const limiter = planOf(newStore(), { name: 'prepaid', key, algorithm: balance() });
    const caller = newCaller();
    await creditsOf(limiter).credit(caller, 5, { id: 'invoice 1' });

    const decisions = [await limiter.consume(caller, { cost: 4 }), await limiter.consume(caller, { cost: 4 })];

    expect(decisions[0]).toMatchObject({ allowed: true, binding: { limit: 5, remaining: 1 } });
    expect(decisions[1]).toMatchObject({ reason: 'denied', retryAfter: Infinity, deniedBy: ['prepaid'] });
    expect(decisions[0]!.paidBy).toBeUndefined();
  });

  it('pays for units that a request takes later', async () => {
    const limiter = planOf(newStore(), month(1), burst, credits);
    const caller = newCaller();
    await creditsOf(limiter).credit(caller, 5, { id: 'invoice 1' });
    const included = await limiter.consume(caller);
    const paid = await limiter.consume(caller);

    const later = await limiter.extend(paid, { month: 2 });
    const beside = await limiter.extend(included, { burst: 2 });

    expect(facts(later)).toMatchObject({ allowed: true, paidBy: 'credits' });
    expect(facts(beside)).toMatchObject({ allowed: true, paidBy: undefined });
    expect(await leftOf(limiter, caller)).toMatchObject({ credits: 2 });
  });

  it('are deleted by a reset that names them, and by no other', async () => {
    const limiter = planOf(newStore(), month(1), credits);
    const caller = newCaller();
    await creditsOf(limiter).credit(caller, 5, { id: 'invoice 1' });
    await limiter.consume(caller);

    await limiter.reset(caller);
    await limiter.of(caller.user).reset();

    expect(await leftOf(limiter, caller)).toEqual({ month: 1, credits: 5 });
    expect(await creditsOf(limiter).credit(caller, 5, { id: 'invoice 1' })).toEqual({ balance: 5, isNew: false });
    await limiter.reset(caller, { tiers: ['credits'] });
    expect(await leftOf(limiter, caller)).toEqual({ month: 1, credits: 0 });
  });

  it('are added once for an id, and another number of units under it is an error that names both', async () => {
    const limiter = planOf(newStore(), month(1), credits);
    const caller = newCaller();
    const credit = (units: number) => creditsOf(limiter).credit(caller, units, { id: 'invoice 1' });
    const first = await credit(100);

    const wrong = credit(5_000);

    await expect(wrong).rejects.toMatchObject({
      code: 'USAGE_INVALID',
      message: expect.stringContaining('credit: this id has added 100 units before, got 5000: nothing was added.'),
    });
    expect(first).toEqual({ balance: 100, isNew: true });
    expect(await credit(100)).toEqual({ balance: 100, isNew: false });
  });

  it('gives back nothing that was spent after the hour of the ledger', async () => {
    const limiter = planOf(newStore(), month(1), credits);
    const caller = newCaller();
    const asOf = Math.floor(Date.now() / 3_600_000) * 3_600_000;
    await creditsOf(limiter).credit(caller, 50, { id: 'invoice 1' });
    await limiter.consume(caller);
    await limiter.consume(caller, { cost: 20 });

    expect(await creditsOf(limiter).reconcile(caller, 50, { asOf })).toBe(30);
  });

  it('shows what is left, and reconciles it with a ledger', async () => {
    const limiter = planOf(newStore(), month(1), credits);
    const caller = newCaller();
    await creditsOf(limiter).credit(caller, 5, { id: 'invoice 1' });
    for (let request = 0; request < 3; request += 1) await limiter.consume(caller);
    const [shown] = await limiter.inspect(caller, { tiers: ['credits'] });
    await limiter.reset(caller, { tiers: ['month', 'credits'] });

    const asOf = Math.floor(Date.now() / 3_600_000) * 3_600_000;
    const reconciled = [
      await creditsOf(limiter).reconcile(caller, 40, { asOf }),
      await creditsOf(limiter).reconcile(caller, 0, { asOf }),
    ];

    expect(shown).toMatchObject({ terms: { form: 'balance', left: 3 }, isStored: true });
    expect(reconciled).toEqual([40, 0]);
  });
});

describe('Credits of a Redis that is away', () => {
  let store: Store;

  beforeEach(() => {
    store = redisStore({ url: 'redis://127.0.0.1:1' }, { deadline: '20ms' });
  });

  afterEach(() => store.close());

  it.each([
    ['a month that this process has used up', 1, 1, 'ok'],
    ['a plan of credits alone', 0, 1, 'unavailable'],
    ['a request above the month', 1, 2, 'unavailable'],
  ])('might pay in the place of %s, so that the answer is not known', async (_month, limit, cost, first) => {
    const limiter = planOf(store, month(1, { limit: () => limit }), credits);
    const caller = newCaller();

    const decisions = [await limiter.consume(caller, { cost }), await limiter.consume(caller, { cost })];

    expect(decisions.map(({ reason }) => reason)).toEqual([first, 'unavailable']);
  });

  it('do not hide that a tier denies which they do not cover', async () => {
    const limiter = planOf(store, month(1), { ...burst, limit: 1 }, credits);
    const caller = newCaller();
    await limiter.consume(caller);

    expect(facts(await limiter.consume(caller))).toMatchObject({ allowed: false, deniedBy: ['month', 'burst'] });
  });
});

describe('A balance in a limiter', () => {
  const scene = () => planOf(memoryStore({ clock: fakeClock() }), month(1), credits);

  it.each<[string, (limiter: Limiter<Caller>) => Promise<unknown>, string]>([
    [
      'no id',
      (limiter) => creditsOf(limiter).credit({ user: 'ada' }, 1, {} as never),
      'credit: id must be a text of 1 to 256',
    ],
    [
      'no options',
      (limiter) => creditsOf(limiter).credit({ user: 'ada' }, 1, undefined as never),
      'credit: id must be',
    ],
    [
      'an unknown option',
      (limiter) => creditsOf(limiter).credit({ user: 'ada' }, 1, { key: 'x' } as never),
      'credit: options must be { id, by, reason, tier, expiresAt, order }',
    ],
    [
      'no units',
      (limiter) => creditsOf(limiter).credit({ user: 'ada' }, 0, { id: 'x' }),
      'credit: units must be an integer from 1 to',
    ],
    [
      'a ledger of no time',
      (limiter) => creditsOf(limiter).reconcile({ user: 'ada' }, 1, {} as never),
      'reconcile: asOf is missing: it is the hour up to which the ledger has what was spent, such as new Date(',
    ],
    [
      'a ledger without options',
      (limiter) => creditsOf(limiter).reconcile({ user: 'ada' }, 1, undefined as never),
      'reconcile: asOf is missing',
    ],
    [
      'half a unit',
      (limiter) => creditsOf(limiter).reconcile({ user: 'ada' }, 0.5, { asOf: 0 }),
      'reconcile: units must be an integer from 0 to',
    ],
    [
      'a tier without a balance',
      (limiter) => creditsOf(limiter).credit({ user: 'ada' }, 1, { id: 'x', tier: 'month' }),
      'credit: tier must name a balance of this limiter (credits), got "month"',
    ],
    [
      'a moment within an hour',
      (limiter) =>
        creditsOf(limiter).reconcile({ user: 'ada' }, 1, { asOf: Date.now() - 3_600_001 - (Date.now() % 3_600_000) }),
      'reconcile: asOf must be the start of an hour of the last 47',
    ],
    [
      'an old moment',
      (limiter) => creditsOf(limiter).reconcile({ user: 'ada' }, 1, { asOf: new Date('2020-01-01T00:00:00Z') }),
      'reconcile: asOf must be the start of an hour of the last 47',
    ],
    [
      'too many units',
      async (limiter) => {
        await creditsOf(limiter).credit({ user: 'ada' }, 2 ** 52, { id: 'x' });
        return creditsOf(limiter).credit({ user: 'ada' }, 1, { id: 'y' });
      },
      'credit: units must not bring the balance above 4503599627370496, got 1: nothing was added',
    ],
  ])('rejects %s, and says what to write', async (_what, call, message) => {
    await expect(call(scene())).rejects.toMatchObject({
      code: 'USAGE_INVALID',
      message: expect.stringContaining(message),
    });
  });

  it('rejects credits for a limiter without a balance', async () => {
    const limiter = planOf(memoryStore(), month(1));

    await expect(creditsOf(limiter).credit({ user: 'ada' }, 1, { id: 'x' })).rejects.toThrow(
      "credit: the limiter needs a tier with a balance, such as { name: 'credits', key, algorithm: balance({ covers: ['month'] }) }",
    );
  });

  it('counts an id again after 30 days, and a new one among 64', async () => {
    const clock = fakeClock();
    const limiter = planOf(memoryStore({ clock }), month(1), credits);
    const caller = { user: 'ada' };
    const credit = async (id: number) =>
      Object.values(await creditsOf(limiter).credit(caller, 1, { id: `invoice ${id}` }));

    for (let id = 0; id < 64; id += 1) {
      await credit(id);
      clock.advance(1);
    }
    expect(await credit(0)).toEqual([64, false]);
    await credit(64);
    expect([await credit(1), await credit(0)]).toEqual([
      [65, false],
      [66, true],
    ]);
    clock.advance('30d');
    expect(await credit(64)).toEqual([67, true]);
  });

  it('keeps balances in a full memory store, and refuses a credit that has no room', async () => {
    const limiter = planOf(memoryStore({ maxKeys: 16 }), { name: 'prepaid', key, algorithm: balance() });
    const credited = Array.from({ length: 16 }, (_, index) => ({ user: `customer ${index}` }));
    for (const caller of credited) await creditsOf(limiter).credit(caller, 1, { id: 'x' });

    await expect(creditsOf(limiter).credit({ user: 'one more' }, 1, { id: 'x' })).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
      message: expect.stringContaining('raise maxKeys'),
    });
    for (const caller of credited) expect((await limiter.consume(caller)).allowed).toBe(true);
  });
});
