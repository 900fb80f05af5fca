import { createLimiter, memoryStore, type Limiter, type Tier } from '../../index.js';
import { fakeClock, type FakeClock } from '../../../../testing/src/index.js';

const HOUR = 3_600_000;
const key = (user: string) => user;
const month = { algorithm: 'fixed-window', limit: 2, period: 'month' } as const;
const quota = { ...month, name: 'quota' } as const;

/** A limiter on a clock, and the clock. */
function limiterAt<S>(start: string, tier: Tier<S>): { clock: FakeClock; limiter: Limiter<S> } {
  const clock = fakeClock(Date.parse(start));
  return {
    clock,
    limiter: createLimiter<S>({ store: memoryStore({ clock }), tiers: [tier] }),
  };
}

describe('A fixed window without a period', () => {
  it('reads no time zone, which would load the data of all zones', () => {
    const format = jest.spyOn(Intl, 'DateTimeFormat');

    createLimiter({ tiers: [{ name: 'pages', key, algorithm: 'fixed-window', limit: 2, window: '1h' }] });

    expect(format).not.toHaveBeenCalled();
    format.mockRestore();
  });
});

describe('A fixed window of a period', () => {
  it('denies until the period ends, to the millisecond', async () => {
    const { clock, limiter } = limiterAt<string>('2026-11-29T12:00Z', { ...quota, key });
    await limiter.consume('a', { cost: 2 });

    const denied = await limiter.consume('a');
    clock.advance(denied.retryAfter - 1);
    const early = await limiter.consume('a');
    clock.advance(1);

    // On 29 November at noon it is 36 hours.
    expect(denied).toMatchObject({ allowed: false, retryAfter: 36 * HOUR, binding: { resetAfter: 36 * HOUR } });
    expect(early).toMatchObject({ allowed: false, retryAfter: 1 });
    expect(await limiter.consume('a')).toMatchObject({
      allowed: true,
      binding: { remaining: 1, resetAfter: 31 * 24 * HOUR },
    });
  });

  it('ends where the clocks of its time zone do', async () => {
    const { limiter } = limiterAt<string>('2026-10-24T22:00Z', {
      ...quota,
      period: 'day',
      timeZone: 'Europe/Berlin',
      key,
    });

    // The day has 25 hours.
    expect(await limiter.consume('a')).toMatchObject({ binding: { resetAfter: 25 * HOUR } });
  });

  it.each([
    ['week', 'sunday', '2026-11-26T00:00Z', 3],
    ['week', undefined, '2026-11-26T00:00Z', 4],
    ['month', 31, '2027-02-27T00:00Z', 1],
    ['year', '04-01', '2027-03-31T00:00Z', 1],
  ] as const)('of a %s that starts on %s, from %s on, ends after %d days', async (period, startsOn, now, days) => {
    const first = startsOn === undefined ? {} : { startsOn };
    const { limiter } = limiterAt<string>(now, { ...quota, period, ...first, key });

    expect(await limiter.consume('a')).toMatchObject({ binding: { resetAfter: days * 24 * HOUR } });
  });

  it('begins on a weekday of each subject', async () => {
    const { limiter } = limiterAt<{ day: 'monday' | 'sunday' }>('2026-11-26T00:00Z', {
      ...quota,
      period: 'week',
      startsOn: ({ day }: { day: 'monday' | 'sunday' }) => day,
      key: ({ day }) => day,
    });

    const days = (['monday', 'sunday'] as const).map((day) => limiter.consume({ day }));

    expect((await Promise.all(days)).map(({ binding }) => binding!.resetAfter / HOUR / 24)).toEqual([4, 3]);
  });

  it('begins on a day of each subject', async () => {
    const { limiter } = limiterAt<{ id: string; day: number }>('2026-11-10T00:00Z', {
      ...quota,
      startsOn: async ({ day }: { day: number }) => day,
      key: ({ id }) => id,
    });

    const days = [11, 20].map((day) => limiter.consume({ id: String(day), day }));

    expect((await Promise.all(days)).map(({ binding }) => binding!.resetAfter / HOUR / 24)).toEqual([1, 10]);
    for (const day of [32, null, Object.create(null), '15']) {
      const wrong = limiter.consume({ id: 'c', day: day as number });
      await expect(wrong).rejects.toMatchObject({ code: 'FUNCTION_FAILED' });
    }
  });

  it('goes on until its own end when its first day changes', async () => {
    const { clock, limiter } = limiterAt<{ day: number }>('2026-11-10T00:00Z', {
      ...quota,
      startsOn: ({ day }: { day: number }) => day,
      key: () => 'a',
    });
    await limiter.consume({ day: 20 }, { cost: 2 });

    const moved = await limiter.consume({ day: 15 });
    clock.set(Date.parse('2026-11-20T00:00Z'));

    expect(moved).toMatchObject({ allowed: false, retryAfter: 10 * 24 * HOUR });
    expect(await limiter.consume({ day: 15 })).toMatchObject({
      allowed: true,
      binding: { resetAfter: 25 * 24 * HOUR },
    });
  });

  it('forgets nothing when the clock steps back over its begin', async () => {
    const { clock, limiter } = limiterAt<string>('2026-12-01T00:00:01Z', { ...quota, key });
    await limiter.consume('a', { cost: 2 });
    clock.step(-2_000);

    const before = await limiter.consume('a');
    clock.advance(2_000);

    expect(before).toMatchObject({ allowed: false, retryAfter: 31 * 24 * HOUR + 1_000 });
    expect(await limiter.consume('a')).toMatchObject({ allowed: false });
  });

  it('keeps no client out for longer than two periods after a clock that was years ahead', async () => {
    const { clock, limiter } = limiterAt<string>('2030-01-01T00:00Z', { ...quota, key });
    await limiter.consume('a', { cost: 2 });
    clock.set(Date.parse('2026-11-29T12:00Z'));

    expect(await limiter.consume('a')).toMatchObject({ allowed: false, retryAfter: 36 * HOUR });
  });

  it('gives back the units of its own period alone', async () => {
    const { clock, limiter } = limiterAt<string>('2026-11-30T23:00Z', { ...quota, key });
    const old = await limiter.consume('a', { cost: 2 });
    clock.advance('2h');
    await limiter.consume('a', { cost: 2 });

    await limiter.refund(old);

    expect(await limiter.consume('a')).toMatchObject({ allowed: false });
  });

  it('may belong to two limiters that were made in different periods', () => {
    const store = memoryStore();
    const tiers = [{ ...month, name: 'shared', key }];
    const now = jest.spyOn(Date, 'now');
    const [november, december] = [10, 11].map((each) => {
      now.mockReturnValue(Date.UTC(2026, each, 15));
      return () => createLimiter({ store, tiers });
    });

    expect(november).not.toThrow();
    expect(december).not.toThrow();
    now.mockRestore();
  });
});
