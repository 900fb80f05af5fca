import { createLimiter, limitersOf, memoryStore, type Store, type Tier } from '@sluice/core';
import { digestOf } from '@sluice/core/internal';
import { balance, creditsOf, type CreditOptions, type LowBalance, usage, usageOf } from '@sluice/quotas';
import { newCaller, onEveryStore, type Caller } from './every-store.js';

const HOUR = 3_600_000;
const key = ({ user }: Caller) => user;

function scene(store: Store, options: Parameters<typeof balance>[0] = {}) {
  const limiter = createLimiter<Caller>({
    store,
    tiers: [{ name: 'credits', key, label: key, algorithm: balance(options) }],
  });
  return { limiter, credits: creditsOf(limiter), caller: newCaller() };
}

onEveryStore((newStore) => {
  it('spends units of a lower order first, then those that end first, then those that never end', async () => {
    const { limiter, credits, caller } = scene(newStore());
    const soon = Date.now() + HOUR;
    await credits.credit(caller, 10, { id: 'bought' });
    await credits.credit(caller, 10, { id: 'later', expiresAt: soon + HOUR });
    await credits.credit(caller, 10, { id: 'soon', expiresAt: new Date(soon) });
    await credits.credit(caller, 10, { id: 'given', order: 10 });

    await limiter.consume(caller, { cost: 25 });
    await credits.debit(caller, 15, { id: 'rest' });

    const [, ...rest] = await credits.postings(caller);
    expect(rest.map(({ id, balance: left }) => `${id} ${left}`)).toEqual([
      'given 40',
      'soon 30',
      'later 20',
      'bought 10',
    ]);
    expect(await limiter.consume(caller)).toMatchObject({ allowed: false });
  });

  it('shows who has changed a balance, when and why, newest first', async () => {
    const { credits, caller } = scene(newStore());
    const expiresAt = Date.now() + HOUR;
    await credits.credit(caller, 100, { id: 'in_1', expiresAt, order: 20, by: 'ada', reason: 'ticket 4711' });
    await credits.debit(caller, 30, { id: 'a dispute' });
    await credits.reconcile(caller, 60, { asOf: Date.now() - (Date.now() % HOUR), by: 'job' });

    const postings = await credits.postings(caller);

    expect(postings).toEqual([
      { number: 3, id: 'reconcile-3', kind: 'reconcile', units: -10, balance: 60, by: 'job', at: expect.any(Number) },
      { number: 2, id: digestOf('a dispute'), kind: 'debit', units: -30, balance: 70, at: expect.any(Number) },
      {
        number: 1,
        id: 'in_1',
        kind: 'credit',
        units: 100,
        balance: 100,
        expiresAt,
        order: 20,
        by: 'ada',
        reason: 'ticket 4711',
        at: expect.any(Number),
      },
    ]);
  });

  it('keeps the last 50 postings, and counts all', async () => {
    const { credits, caller } = scene(newStore());
    for (let each = 1; each <= 53; each += 1) await credits.credit(caller, 1, { id: `in_${each}` });

    const postings = await credits.postings(caller);

    expect([postings.length, postings[0]!.number, postings.at(-1)!.id]).toEqual([50, 53, 'in_4']);
  });

  it('debits down to 0 once for each id, and answers what is missing', async () => {
    const { credits, caller } = scene(newStore());
    await credits.credit(caller, 100, { id: 'in_1' });

    const answers = [
      await credits.debit(caller, 70, { id: 'dp_1' }),
      await credits.debit(caller, 70, { id: 'dp_2' }),
      await credits.debit(caller, 70, { id: 'dp_2' }),
    ];

    expect(answers).toEqual([
      { balance: 30, isNew: true, rest: 0 },
      { balance: 0, isNew: true, rest: 40 },
      { balance: 0, isNew: false, rest: 40 },
    ]);
    await expect(credits.debit(caller, 71, { id: 'dp_2' })).rejects.toThrow(
      'debit: this id has taken 70 units before, got 71: nothing was taken',
    );
  });

  it('holds 16 grants, and names the one that ends next to a seventeenth', async () => {
    const { limiter, credits, caller } = scene(newStore());
    const end = Date.now() + HOUR;
    const grant = (place: number, more: Partial<CreditOptions> = {}) =>
      credits.credit(caller, place, { id: `in ${place} ${String(more.expiresAt)}`, expiresAt: end + place, ...more });
    for (let place = 16; place >= 1; place -= 1) await grant(place);

    const seventeenth = grant(17);

    await expect(seventeenth).rejects.toMatchObject({ code: 'USAGE_INVALID' });
    await expect(seventeenth).rejects.toThrow(
      `the balance has 16 grants with units, the next of which has 1 units and ends at ${new Date(end + 1).toISOString()}`,
    );
    expect(await grant(3, { expiresAt: end + 5 })).toEqual({ balance: 16 * 8.5 + 3, isNew: true });
    await limiter.consume(caller);
    expect(await grant(18)).toMatchObject({ isNew: true });
  });

  it('gives units back to the grants that have paid, the last one first', async () => {
    const { limiter, credits, caller } = scene(newStore());
    const end = Date.now() + HOUR;
    await credits.credit(caller, 5, { id: 'one', expiresAt: end });
    await credits.credit(caller, 5, { id: 'other', order: 60 });
    const decision = await limiter.consume(caller, { cost: 8 });

    expect(await limiter.settle(decision, 4)).toBe(-4);

    await credits.debit(caller, 1, { id: 'of the first' });
    const [last] = await credits.postings(caller);
    expect(last!.balance).toBe(5);
  });

  it('tells a low balance once on the way down, and again after a credit above the mark', async () => {
    const heard: LowBalance[] = [];
    const { limiter, credits, caller } = scene(newStore(), {
      lowBalance: [50, 10],
      onLowBalance: (low) => heard.push(low),
    });
    const marks = () => heard.splice(0).map(({ mark, balance: left, cause }) => `${mark}: ${left} ${cause}`);
    await credits.credit(caller, 100, { id: 'in_1' });

    const paid = await limiter.consume(caller, { cost: 60 });
    const digest = heard[0]!.digest;
    expect([heard[0]!.tier, heard[0]!.label, digest.length]).toEqual(['credits', caller.user, 22]);
    expect(marks()).toEqual(['50: 40 spent']);
    await limiter.refund(paid);
    await limiter.consume(caller, { cost: 55 });
    expect(marks()).toEqual([]);
    await credits.credit(caller, 1, { id: 'in_2' });
    await limiter.consume(caller, { cost: 1 });
    expect(marks()).toEqual([]);
    await credits.debit(caller, 40, { id: 'dp_1' });
    expect(marks()).toEqual(['10: 5 taken']);
    await credits.credit(caller, 95, { id: 'in_3' });
    await limiter.consume(caller, { cost: 95 });
    expect(marks()).toEqual(['50: 5 spent', '10: 5 spent']);
    await limiter.consume(caller, { cost: 5 });
    expect(marks()).toEqual([]);
  });

  it('is low again only after a credit: not after a refund and a repeated credit, a debit or a look at its postings', async () => {
    const heard: number[] = [];
    const { limiter, credits, caller } = scene(newStore(), {
      lowBalance: [5],
      onLowBalance: ({ balance: left }) => void heard.push(left),
    });
    await credits.credit(caller, 15, { id: 'in_1' });
    for (const act of [
      () => credits.credit(caller, 15, { id: 'in_1' }),
      () => credits.postings(caller),
      () => credits.debit(caller, 1, { id: 'dp_1' }),
    ]) {
      const paid = await limiter.consume(caller, { cost: 10 });
      await limiter.refund(paid);
      await act();
    }
    await limiter.consume(caller, { cost: 10 });

    const before = [...heard];
    await credits.credit(caller, 10, { id: 'in_2' });
    await limiter.consume(caller, { cost: 10 });

    expect([before, heard]).toEqual([[5], [5, 4]]);
  });

  it('tells a low balance in one process of several', async () => {
    const store = newStore();
    const heard: LowBalance[] = [];
    const scenes = Array.from({ length: 4 }, () =>
      scene(store, { lowBalance: [20], onLowBalance: (low) => heard.push(low) }),
    );
    const { credits, caller } = scenes[0]!;
    await credits.credit(caller, 60, { id: 'in_1' });

    await Promise.all(scenes.flatMap(({ limiter }) => Array.from({ length: 15 }, () => limiter.consume(caller))));

    expect(heard.map(({ mark, balance: left }) => [mark, left])).toEqual([[20, 20]]);
  });

  it('credits, debits and shows by an identity', async () => {
    const store = newStore();
    const { caller } = scene(store);
    const desk = creditsOf(limitersOf(store)[0]!);

    await desk.creditFor(caller.user, 10, { id: 'ticket-1', by: 'ada' });
    await desk.debitFor(caller.user, 3, { id: 'ticket-2', by: 'ada' });

    const postings = await desk.postingsFor(caller.user);
    expect(postings.map(({ id, by, balance: left }) => [id, by, left])).toEqual([
      ['ticket-2', 'ada', 7],
      ['ticket-1', 'ada', 10],
    ]);
  });
});

onEveryStore((newStore) => {
  function plan(store: Store, split: boolean | undefined) {
    const day: Tier<Caller> = { name: 'day', key, algorithm: 'fixed-window', limit: 5, window: '1d', usage: usage() };
    const credited = balance({ covers: ['day'], split });
    const limiter = createLimiter<Caller>({ store, tiers: [day, { name: 'credits', key, algorithm: credited }] });
    const left = async (caller: Caller) => {
      const inspections = await limiter.inspect(caller);
      return Object.fromEntries(inspections.map(({ outcome }) => [outcome.tier, outcome.remaining]));
    };
    return { limiter, credits: creditsOf(limiter), caller: newCaller(), left };
  }

  it('pays the rest of a cost with split, and nothing of it without', async () => {
    const [split, whole] = [plan(newStore(), true), plan(newStore(), undefined)];
    for (const { credits, caller } of [split, whole]) await credits.credit(caller, 10, { id: 'in_1' });
    const spend = async ({ limiter, caller }: typeof split, cost: number) => {
      const { allowed, paidBy } = await limiter.consume(caller, { cost });
      return [allowed, paidBy];
    };

    expect([await spend(split, 3), await spend(split, 4)]).toEqual([
      [true, undefined],
      [true, 'credits'],
    ]);
    expect([await spend(whole, 3), await spend(whole, 4)]).toEqual([
      [true, undefined],
      [true, 'credits'],
    ]);

    expect(await split.left(split.caller)).toEqual({ day: 0, credits: 8 });
    expect(await whole.left(whole.caller)).toEqual({ day: 2, credits: 6 });
    expect((await usageOf(split.limiter).read(split.caller)).map(({ units }) => units)).toEqual([5]);
  });

  it('admits what both hold together, and denies one unit more', async () => {
    const { limiter, credits, caller, left } = plan(newStore(), true);
    await credits.credit(caller, 10, { id: 'in_1' });

    const more = await limiter.consume(caller, { cost: 16 });
    const peek = await limiter.peek(caller, { cost: 15 });
    const all = await limiter.consume(caller, { cost: 15 });

    expect([more.allowed, peek.allowed, all.allowed]).toEqual([false, true, true]);
    expect(await left(caller)).toEqual({ day: 0, credits: 0 });
  });

  it.each([
    ['refund all', 'refund', undefined, { day: 5, credits: 10 }],
    ['refund a part', 'refund', 3, { day: 1, credits: 10 }],
    ['settle to what both have paid', 'settle', 6, { day: 0, credits: 9 }],
    ['settle to a part of the tier', 'settle', 4, { day: 1, credits: 10 }],
    ['settle to more', 'settle', 9, { day: 0, credits: 6 }],
  ] as const)('give back to the balance first: %s', async (_what, call, units, expected) => {
    const { limiter, credits, caller, left } = plan(newStore(), true);
    await credits.credit(caller, 10, { id: 'in_1' });
    const decision = await limiter.consume(caller, { cost: 7 });

    await limiter[call](decision, units as never);

    expect(await left(caller)).toEqual(expected);
  });
});

describe('A grant that ends', () => {
  function timed(options: Parameters<typeof balance>[0] = {}) {
    const clock = { now: Date.now() };
    const store = memoryStore({ clock: () => clock.now });
    const heard: LowBalance[] = [];
    const onLowBalance = (low: LowBalance) => heard.push(low);
    const marks = options.lowBalance === undefined ? options : { ...options, onLowBalance };
    return { ...scene(store, marks), clock, heard, store };
  }

  it('is worth nothing from its end on, and becomes a posting', async () => {
    const { limiter, credits, caller, clock } = timed();
    const end = clock.now + HOUR;
    await credits.credit(caller, 10, { id: 'given', expiresAt: end });
    clock.now = end - 1;
    expect(await limiter.consume(caller)).toMatchObject({ allowed: true });
    clock.now = end;

    expect(await limiter.consume(caller)).toMatchObject({ allowed: false });

    const [last] = await credits.postings(caller);
    expect(last).toEqual({
      number: 2,
      id: 'expiry-2',
      kind: 'expiry',
      at: end,
      units: -9,
      balance: 0,
      expiresAt: end,
      order: 50,
    });
  });

  it('is what an outcome tells of a balance until the next credit', async () => {
    const { limiter, credits, caller, clock } = timed();
    const end = clock.now + HOUR;
    await credits.credit(caller, 10, { id: 'given', expiresAt: end });
    clock.now = end + 5;

    const denied = [await limiter.consume(caller), await limiter.consume(caller)];
    await credits.credit(caller, 1, { id: 'bought' });
    const paid = await limiter.consume(caller);

    expect([...denied, paid].map(({ outcomes }) => outcomes[0]!.facts?.['ended'])).toEqual([end, end, undefined]);
  });

  it('loses the units of a request that it has paid and that ends later, in one posting', async () => {
    const { limiter, credits, caller, clock } = timed();
    await credits.credit(caller, 10, { id: 'given', expiresAt: clock.now + HOUR });
    await credits.credit(caller, 10, { id: 'bought' });
    const [one, other] = [await limiter.consume(caller, { cost: 6 }), await limiter.consume(caller, { cost: 6 })];
    clock.now += HOUR;

    await limiter.settle(one, 1);
    await limiter.settle(other, 1);

    // Of the other 2 units were bought.
    const [last, before] = await credits.postings(caller);
    expect(last).toMatchObject({ kind: 'lost', units: -8, balance: 10 });
    expect(before).toMatchObject({ kind: 'credit', balance: 20 });
    expect((await limiter.inspect(caller))[0]!.outcome.remaining).toBe(10);
  });

  it('makes a balance low at the next touch, also by a denied request or by reading its postings', async () => {
    const denied = timed({ lowBalance: [5] });
    await denied.credits.credit(denied.caller, 10, { id: 'given', expiresAt: denied.clock.now + HOUR });
    denied.clock.now += HOUR;
    await denied.limiter.peek(denied.caller);
    expect(denied.heard).toEqual([]);
    await denied.limiter.consume(denied.caller);
    await denied.limiter.consume(denied.caller);
    const read = timed({ lowBalance: [5] });
    await read.credits.credit(read.caller, 10, { id: 'given', expiresAt: read.clock.now + HOUR });
    read.clock.now += HOUR;
    await read.credits.postings(read.caller);
    await read.credits.postings(read.caller);

    const heard = [denied.heard, read.heard].map((each) =>
      each.map(({ mark, balance: left, cause }) => [mark, left, cause]),
    );
    expect(heard).toEqual([[[5, 0, 'ended']], [[5, 0, 'ended']]]);
  });
});

describe('creditsOf(limiter)', () => {
  const { credits, caller } = scene(memoryStore());
  const credit = (options: object) => credits.credit(caller, 1, { id: 'x', ...options });

  it.each([
    ['an end in the past', () => credit({ expiresAt: 1 }), 'credit: expiresAt must be a moment after now, a Date or'],
    ['a Date of no time', () => credit({ expiresAt: new Date('x') }), "such as new Date('20"],
    ['half an order', () => credit({ order: 0.5 }), 'credit: order must be an integer from 0 to 100, of which lower'],
    [
      'several lines',
      () => credit({ by: 'a\nb' }),
      "credit: by must be a text of 1 to 100 characters on one line, such as 'ada'",
    ],
    [
      'a long reason',
      () => credit({ reason: 'x'.repeat(201) }),
      'credit: reason must be a text of 1 to 200 characters',
    ],
    [
      'a debit without an id',
      () => credits.debit(caller, 1, {} as never),
      'debit: id must be a text of 1 to 256 characters',
    ],
    [
      'a debit with an end',
      () => credits.debit(caller, 1, { id: 'x', expiresAt: 1 } as never),
      'debit: options must be { id, by',
    ],
    ['a debit of nothing', () => credits.debit(caller, 0, { id: 'x' }), 'debit: units must be an integer from 1'],
    ['postings of a text', () => credits.postings(caller, 'x' as never), 'postings: options must be { tier }'],
  ])('refuses %s, and says what to write', async (_what, call, message) => {
    await expect(call()).rejects.toThrow(message);
  });

  it('refuses a split that has no tier to share a cost with', () => {
    const fail = 'split: true needs one tier in covers, which pays the other part, such as balance({';
    for (const covers of [undefined, ['day', 'month']]) expect(() => balance({ covers, split: true })).toThrow(fail);
    const own = { name: 'credits', key, cost: 2, algorithm: balance({ covers: ['day'], split: true }) } as const;
    const day: Tier<Caller> = { name: 'day', key, algorithm: 'fixed-window', limit: 5, window: '1d' };
    expect(() => createLimiter<Caller>({ tiers: [day, own] })).toThrow(
      'tier "credits" (balance): split cannot be combined with a cost of its own',
    );
  });

  it('refuses marks that do not fall', () => {
    for (const lowBalance of [[], [0], [1, 1], [1, 2], [1.5], 'x', Array.from({ length: 9 }, (_, mark) => 9 - mark)]) {
      expect(() => balance({ lowBalance } as never)).toThrow(
        '1 to 8 integers above 0 in falling order, such as [1_000, 100]',
      );
    }
  });
});
