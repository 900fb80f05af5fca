import { createLimiter, memoryStore, subscribe, tracksOf, type Tier } from '@sluice/core';
import { IdentityDigest } from '@sluice/metrics/operations';
import { overridesOf, type OverrideOptions } from '@sluice/policies/overrides';

import { limiterOf, newCaller, onEveryStore, remainingIn, tier, type Caller } from './every-store.js';

const reason = 'ticket 4711';
/** The key of a caller in a tier of `tier`. */
const keyIn = (name: string, { user }: Caller) => ({ kind: name, parts: [user] });
const inAnHour = () => Date.now() + 3.6e6;

onEveryStore((newStore) => {
  it('replaces the limit of one identity, keeps its units, and leaves all others', async () => {
    const [vip, other] = [newCaller(), newCaller()];
    const limiter = limiterOf(newStore(), tier('hour', 3), tier('day', 100, { window: '1d' }));
    for (const caller of [vip, other]) await limiter.consume(caller, { cost: 3 });

    overridesOf(limiter).set({ tier: 'hour', identity: keyIn('hour', vip), limit: 5, until: inAnHour(), reason });
    const raised = await limiter.consume(vip);
    const denied = await limiter.consume(other);
    overridesOf(limiter).set({ tier: 'hour', identity: keyIn('hour', vip), limit: 2, reason });
    const lowered = await limiter.consume(vip);
    overridesOf(limiter).remove({ tier: 'hour', identity: keyIn('hour', vip) });
    const without = await limiter.consume(vip);

    expect([raised, denied, lowered, without].map(({ allowed }) => allowed)).toEqual([true, false, false, false]);
    expect(remainingIn(raised)).toEqual({ day: 96, hour: 1 });
    expect([raised, denied].map((each) => each.outcomes.find(({ tier: name }) => name === 'hour')!.limit)).toEqual([
      5, 3,
    ]);
  });

  it('denies all requests of a limit of 0, and leaves out a tier whose limit is null', async () => {
    const [never, free] = [newCaller(), newCaller()];
    const limiter = limiterOf(newStore(), tier('hour', 3), tier('day', 100, { window: '1d' }));
    const until = inAnHour();

    overridesOf(limiter).set({ tier: 'hour', identity: keyIn('hour', never), limit: 0, reason });
    overridesOf(limiter).set({ tier: 'hour', identity: keyIn('hour', free), limit: null, reason });
    const decisions = [await limiter.consume(never), await limiter.consume(free, { cost: 50 })];
    overridesOf(limiter).set({ tier: 'hour', identity: keyIn('hour', never), limit: 0, until, reason });
    const later = await limiter.consume(never);

    expect(decisions.map(({ reason: why }) => why)).toEqual(['never', 'ok']);
    expect(remainingIn(decisions[1]!)).toEqual({ day: 50 });
    expect(later).toMatchObject({ reason: 'denied', deniedBy: ['hour'], binding: { override: { until } } });
    expect(Math.abs(later.retryAfter - 3.6e6)).toBeLessThan(60_000);
  });

  it('blocks after each strike of a backoff with a limit of 0, whether a number or a function gives its own', async () => {
    const backoff = { algorithm: 'backoff', window: '1h', delays: ['10s'], forgive: 'one' } as const;
    for (const limit of [3, () => 3]) {
      const caller = newCaller();
      const key = ({ user }: Caller) => keyIn('failures', { user });
      const limiter = createLimiter<Caller>({
        store: newStore(),
        tiers: [{ ...backoff, name: 'failures', key, limit }],
      });

      overridesOf(limiter).set({ tier: 'failures', identity: key(caller), limit: 0, reason });
      const reasons = [await limiter.consume(caller), await limiter.consume(caller)].map((each) => each.reason);

      expect(reasons).toEqual(['ok', 'denied']);
    }
  });

  it('overrides what functions return: limits, plans and tiers that do not apply', async () => {
    const caller = newCaller();
    const limits = [0, null, 2];
    const limiter = createLimiter<Caller>({
      store: newStore(),
      tiers: limits.map((limit, index) => ({ ...tier(`of ${index}`, 1), limit: () => limit }) as Tier<Caller>),
    });
    await limiter.consume(caller);

    for (const index of limits.keys()) {
      overridesOf(limiter).set({
        tier: `of ${index}`,
        identity: keyIn(`of ${index}`, caller),
        limit: 9 - index,
        reason,
      });
    }

    expect(remainingIn(await limiter.consume(caller))).toEqual({ 'of 0': 8, 'of 1': 7, 'of 2': 6 });
  });

  it('refunds and settles decisions that another limit has made', async () => {
    const caller = newCaller();
    const limiter = limiterOf(newStore(), tier('hour', 10));
    const before = await limiter.consume(caller, { cost: 8 });
    overridesOf(limiter).set({ tier: 'hour', identity: keyIn('hour', caller), limit: 50, reason });
    const during = await limiter.consume(caller, { cost: 30 });

    const settled = await limiter.settle(before, 6);
    overridesOf(limiter).remove({ tier: 'hour', identity: keyIn('hour', caller) });
    const refunded = await limiter.refund(during);

    expect([settled, refunded]).toEqual([-2, 30]);
    expect(remainingIn(await limiter.peek(caller, { cost: 0 }))).toEqual({ hour: 4 });
  });

  it('tells the override in peek and inspect, and takes the digest of an identity', async () => {
    const caller = newCaller();
    const limiter = limiterOf(newStore(), tier('hour', 10));
    const { digest } = tracksOf(await limiter.consume(caller))[0]!;
    const until = inAnHour();
    const override = { tier: 'hour', digest, limit: 20, until, reason };

    overridesOf(limiter).set({ tier: 'hour', identity: new IdentityDigest(digest), limit: 20, until, reason });

    const decision = await limiter.consume(caller);
    const inspections = [await limiter.inspect(caller), await limiter.of(keyIn('hour', caller)).inspect()];
    expect(decision.binding!.override).toEqual({ until });
    expect(inspections.flat().map((each) => [each.override, each.outcome.remaining])).toEqual([
      [override, 18],
      [override, 18],
    ]);
    expect((await limiter.peek(caller)).outcomes[0]!.override).toEqual({ until });
    expect(overridesOf(limiter).list()).toEqual([override]);
  });
});

describe('overrides', () => {
  const hour = tier('hour', 10);
  const of = (more: object = {}) => ({ tier: 'hour', identity: 'ada@example.org', limit: 5, reason, ...more });

  it.each<[object, string]>([
    [{ tier: 'huor' }, 'tier must be one of "hour" (did you mean "hour"?), got "huor"'],
    [
      { identity: '' },
      'identity must be a non-empty text, a whole number or an identity such as byIp()({ ip }), got empty',
    ],
    [{ identity: undefined }, 'identity is missing'],
    [{ partition: 'acme' }, 'partition belongs to limiters with partitions: leave it out'],
    [
      { limit: -1 },
      'limit must be an integer of at least 0: 0 means never, and null that the tier does not apply, got -1',
    ],
    [
      { limit: 2 ** 40 },
      'tier "hour" (fixed-window): limit must be an integer from 1 to 4294967295, got 1099511627776',
    ],
    [{ limit: undefined }, 'limit is missing'],
    [{ until: 1 }, 'until must be a Date, milliseconds since 1970 or a text'],
    [{ until: 1_800_000_000 }, '(1800000000 would be in 1970: multiply seconds by 1000)'],
    [{ until: '2027-02-31' }, 'until must be a Date'],
    [{ until: '2027-01-31T12:00' }, 'until must be a Date'],
    [
      { until: '2020-01-31' },
      'until must be in the future, by the clock of this process, got 2020-02-01T00:00:00.000Z',
    ],
    [{ reason: undefined }, 'reason is missing'],
    [{ reason: 'a\nb' }, 'reason must be a text of 1 to 200 characters on one line'],
    [{ untl: 1 }, 'untl is not an option here: did you mean until?'],
  ])('refuses %j', (more, message) => {
    const overrides = overridesOf(limiterOf(memoryStore(), hour));
    const set = () => overrides.set(of(more));

    expect(set).toThrow(message);
    expect(set).not.toThrow('ada');
    expect(overrides.list()).toEqual([]);
  });

  it('takes dates as the end of the day, and moments with a time zone', () => {
    const overrides = overridesOf(limiterOf(memoryStore(), hour));
    const ends = ['2127-01-31', '2127-01-31T12:00Z', '2127-01-31T12:00:00.250+02:00', new Date(4e12), 4e12];

    expect(ends.map((until) => overrides.set(of({ until })).until)).toEqual([
      Date.UTC(2127, 1, 1),
      Date.UTC(2127, 0, 31, 12),
      Date.UTC(2127, 0, 31, 10, 0, 0, 250),
      4e12,
      4e12,
    ]);
  });

  it('publishes changes with digests', () => {
    const overrides = overridesOf(limiterOf(memoryStore(), hour));
    const events: unknown[] = [];
    const end = subscribe('sluice:override', ({ operation, limit }) => events.push([operation, limit]));

    overrides.set(of());
    overrides.replace([of({ limit: 6 })]);
    overrides.replace([of({ limit: 6 })]);
    overrides.remove({ tier: 'hour', identity: 'ada@example.org' });
    end();

    expect(events).toEqual([
      ['set', 5],
      ['set', 6],
      ['remove', 6],
    ]);
  });

  it('replaces all or none, at most 10 000', () => {
    const overrides = overridesOf(limiterOf(memoryStore(), hour));
    overrides.set(of());
    const many = Array.from({ length: 10_001 }, (_, index) => of({ identity: index })) as OverrideOptions[];

    expect(() => overrides.replace(many)).toThrow('overrides must be at most 10000');
    expect(() => overrides.replace([of({ identity: 1 }), of({ limit: -1 })] as OverrideOptions[])).toThrow('limit');
    expect(overrides.list()).toHaveLength(1);
    overrides.replace(many.slice(1));
    expect(() => overrides.set(of({ identity: 'one more' }))).toThrow('overrides must be at most 10000');
  });

  it('keeps overrides when the tiers are replaced, also those of a tier that is away for a while', async () => {
    const caller = newCaller();
    const limiter = limiterOf(memoryStore(), hour);
    overridesOf(limiter).set({ tier: 'hour', identity: keyIn('hour', caller), limit: 2, reason });

    const prepared = limiter.prepare([tier('hour', 10, { window: '2h' })]);
    prepared.commit();
    const longer = await limiter.consume(caller);
    limiter.prepare([tier('other', 10)]).commit();
    limiter.prepare([hour]).commit();

    expect([longer, await limiter.consume(caller)].map(remainingIn)).toEqual([{ hour: 1 }, { hour: 1 }]);
  });

  it('needs the partition of an identity where a limiter has partitions', async () => {
    const caller = newCaller();
    const limiter = createLimiter<Caller>({ partition: () => 'acme', tiers: [hour] });
    const identity = keyIn('hour', caller);

    expect(() => overridesOf(limiter).set({ tier: 'hour', identity, limit: 2, reason })).toThrow(
      'partition is missing',
    );
    overridesOf(limiter).set({ tier: 'hour', identity, partition: 'acme', limit: 2, reason });

    expect(remainingIn(await limiter.consume(caller))).toEqual({ hour: 1 });
  });

  it('lets the size of a bucket grow with its limit', async () => {
    const caller = newCaller();
    const bucket = { algorithm: 'token-bucket', burst: 10 } as Partial<Tier<Caller>>;
    const limiter = limiterOf(memoryStore(), tier('hour', 100, bucket));
    await limiter.consume(caller, { cost: 10 });

    overridesOf(limiter).set({ tier: 'hour', identity: keyIn('hour', caller), limit: 10, reason });
    const slower = await limiter.consume(caller);
    overridesOf(limiter).set({ tier: 'hour', identity: keyIn('hour', caller), limit: 1_000, reason });
    const faster = await limiter.consume(caller);

    expect([slower, faster].map(({ allowed, outcomes }) => [allowed, outcomes[0]!.limit])).toEqual([
      [false, 1],
      [false, 100],
    ]);
  });
});
