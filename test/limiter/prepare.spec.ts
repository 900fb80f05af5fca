import { byIp, createLimiter, limitersOf, memoryStore, type Store, type Tier } from '@sluice/http';

import { limiterOf, newCaller, onEveryStore, remainingIn, tier, type Caller } from './every-store.js';

onEveryStore((newStore) => {
  it('keeps the units of a tier whose limit moves up and down', async () => {
    const caller = newCaller();
    const limiter = limiterOf(newStore(), tier('hour', 5));
    await limiter.consume(caller, { cost: 5 });

    const denied = await limiter.consume(caller);
    limiter.prepare([tier('hour', 8)]).commit();
    const raised = await limiter.consume(caller);
    limiter.prepare([tier('hour', 4)]).commit();
    const lowered = await limiter.consume(caller);
    limiter.prepare([tier('hour', 7)]).commit();
    const last = await limiter.consume(caller);

    expect([denied, raised, lowered, last].map(({ allowed }) => allowed)).toEqual([false, true, false, true]);
    expect([raised, last].map(remainingIn)).toEqual([{ hour: 2 }, { hour: 0 }]);
  });

  it('keeps what a bucket has spent, and refuses a limit that would refill it', async () => {
    const caller = newCaller();
    const bucket = (limit: number, burst: number) =>
      tier('bucket', limit, { algorithm: 'token-bucket', burst, window: '1h' });
    const limiter = limiterOf(newStore(), bucket(100, 10));
    await limiter.consume(caller, { cost: 10 });

    const refill = () => limiter.prepare([bucket(10, 10)]);
    limiter.prepare([bucket(10, 1)]).commit();
    const lowered = await limiter.consume(caller);
    limiter.prepare([bucket(200, 20)]).commit();

    expect(refill).toThrow(
      /^tier "bucket": limit must keep the ratio of limit to burst \(200 : 20\), because another ratio would refill/,
    );
    expect(lowered.allowed).toBe(false);
    expect(await limiter.consume(caller, { cost: 11 })).toMatchObject({ allowed: false });
  });

  it('changes nothing before the commit, nor by tiers that are wrong', async () => {
    const caller = newCaller();
    const limiter = limiterOf(newStore(), tier('hour', 5));

    const prepared = limiter.prepare([tier('hour', 1)]);
    expect(() => limiter.prepare([tier('hour', -1)])).toThrow(expect.objectContaining({ code: 'LIMIT_INVALID' }));
    const before = await limiter.consume(caller);
    prepared.commit();
    const after = await limiter.consume(caller);

    expect([remainingIn(before), after.allowed]).toEqual([{ hour: 4 }, false]);
  });

  it('begins a tier with new counts when its name or its window is another', async () => {
    const caller = newCaller();
    const limiter = limiterOf(newStore(), tier('hour', 5));
    await limiter.consume(caller, { cost: 3 });

    limiter.prepare([tier('other', 5)]).commit();
    const named = await limiter.consume(caller);
    limiter.prepare([tier('hour', 5, { window: '2h' }), tier('other', 5)]).commit();
    const longer = await limiter.consume(caller);

    expect([named, longer].map(remainingIn)).toEqual([{ other: 4 }, { hour: 4, other: 3 }]);
  });

  it('refunds, settles and extends decisions of tiers that were replaced', async () => {
    const caller = newCaller();
    const old = [tier('a', 50), tier('b', 50)];
    const limiter = limiterOf(newStore(), ...old);
    const decisions = await Promise.all([1, 2, 3].map(() => limiter.consume(caller, { cost: 10 })));

    limiter.prepare([tier('c', 50)]).commit();
    const refunded = await limiter.refund(decisions[0]!, { a: 4 });
    const settled = await limiter.settle(decisions[1]!, { a: 12, b: 7 });
    const extended = await limiter.extend(decisions[2]!, { b: 5 });
    limiter.prepare(old).commit();

    expect([refunded, settled, extended.allowed]).toEqual([4, -1, true]);
    // 30 - 4 + 2 and 30 - 3 + 5 units are used.
    expect(remainingIn(await limiter.peek(caller, { cost: 0 }))).toEqual({ a: 22, b: 18 });
  });

  it('ends permits of requests that began under another limit', async () => {
    const caller = newCaller();
    const permits = (limit: number) =>
      ({ name: 'permits', key: ({ user }: Caller) => user, algorithm: 'concurrency', limit }) as Tier<Caller>;
    const limiter = limiterOf(newStore(), permits(2));
    const running = [await limiter.consume(caller), await limiter.consume(caller)];

    limiter.prepare([permits(1)]).commit();
    const crowded = await limiter.consume(caller);
    for (const each of running) await limiter.release(each);
    const free = await limiter.consume(caller);
    await limiter.release(free);

    expect([crowded.allowed, free.allowed]).toEqual([false, true]);
  });
});

describe('prepare', () => {
  const key = byIp<{ ip: string }>();
  const api = { name: 'api', key, window: '1m', limit: 600 } as const;

  it('frees the names of tiers that are replaced, and takes those of the new ones', () => {
    const store = memoryStore();
    const limiter = createLimiter({ store, tiers: [api] });
    const other = { ...api, limit: 5 };

    limiter.prepare([{ ...api, name: 'web' }]).commit();

    expect(() => createLimiter({ store, tiers: [other] })).not.toThrow();
    expect(() => createLimiter({ store, tiers: [{ ...api, name: 'web', limit: 5 }] })).toThrow(
      expect.objectContaining({ code: 'TIER_NAME_TAKEN' }),
    );
  });

  it('refuses other numbers for a tier that another limiter has too, also when it came in between', () => {
    const store = memoryStore();
    const limiter = createLimiter({ store, tiers: [api] });
    const prepared = limiter.prepare([{ ...api, limit: 300 }]);
    createLimiter({ store, tiers: [api] });
    const taken = expect.objectContaining({ code: 'TIER_NAME_TAKEN' });

    expect(() => limiter.prepare([{ ...api, limit: 300 }])).toThrow(taken);
    expect(() => prepared.commit()).toThrow(taken);
    expect(limitOf(store)).toBe(600);
  });

  it('shows the new tiers to operators', () => {
    const store = memoryStore();
    const limiter = createLimiter({ store, tiers: [api] });

    limiter.prepare([{ ...api, limit: 300 }]).commit();

    expect(limitOf(store)).toBe(300);
  });

  it('refuses a limiter whose tiers a function chooses', () => {
    const limiter = createLimiter({ tiers: () => [api] });

    expect(() => limiter.prepare([api])).toThrow(
      'prepare: a function chooses the tiers of this limiter, so let it return other arrays',
    );
  });

  it('refuses concurrency for a limiter that began without it, because its adapters hold no permits', () => {
    const limiter = createLimiter({ tiers: [api] });
    const running: Tier<{ ip: string }> = { name: 'running', key, algorithm: 'concurrency', limit: 2 };

    expect(() => limiter.prepare([api, running])).toThrow('tier "running": algorithm must not be "concurrency"');
  });

  it('changes nothing of a limiter that was closed', async () => {
    const store = memoryStore();
    const limiter = createLimiter({ store, tiers: [api] });
    await limiter.close();

    limiter.prepare([{ ...api, limit: 5 }]).commit();

    expect(() => createLimiter({ store, tiers: [api] })).not.toThrow();
  });
});

function limitOf(store: Store): unknown {
  return limitersOf(store)[0]!.tiers[0]!.limit;
}
