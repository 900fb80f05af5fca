import { createLimiter, type Decision, type Limiter, memoryStore, type Tier } from '../../../core/src/index.js';
import { notices } from '../../../quotas/src/notices/notices-option.js';
import { fakeClock } from '../../../testing/src/clock.js';
import { line, type LineOptions } from './index.js';

interface Worker {
  readonly worker?: string;
}

/** A bucket of 10 units that refills one a second, which is empty. */
function emptyBucket(lined: Partial<LineOptions<Worker>>, options: object = {}) {
  const clock = fakeClock();
  const tier = { name: 'shared', key: () => 'shared', algorithm: 'token-bucket', limit: 60, window: '1m', burst: 10 };
  const tiers = [{ ...tier, line: line<Worker>({ longest: '1h', ...lined }), ...options }] as unknown as Tier<Worker>[];
  const limiter: Limiter<Worker> = createLimiter<Worker>({ store: memoryStore({ clock }), secret: 'pepper', tiers });
  const consume = (place?: string | true, worker?: string) =>
    limiter.consume({ ...(worker && { worker }) }, { place }) as Decision;
  for (let unit = 0; unit < 10; unit += 1) consume(undefined, 'first');
  return { clock, limiter, consume };
}

describe('a line that keeps places', () => {
  const keep = '2s';

  it('lets a request in at its moment that brings its place, and leaves it the unit until then', () => {
    const { clock, consume } = emptyBucket({ keep });
    const first = consume(true);
    clock.advance(1_000);

    const [stranger, owner] = [consume(), consume(first.place)];

    expect(first).toMatchObject({ allowed: false, retryAfter: 1_000, place: expect.any(String) });
    expect([stranger.allowed, owner.allowed]).toEqual([false, true]);
  });

  it('knows the place of a request that a tier with notices counts, too', () => {
    const clock = fakeClock();
    const key = () => 'shared';
    const lined = { name: 'lined', key, algorithm: 'token-bucket', limit: 60, window: '1m', burst: 10 } as const;
    const noticed = { name: 'noticed', key, algorithm: 'fixed-window', limit: 99, window: '10s' } as const;
    const limiter: Limiter<object> = createLimiter<object>({
      store: memoryStore({ clock }),
      secret: 'pepper',
      tiers: [
        { ...lined, line: line({ longest: '1h', keep }) },
        { ...noticed, notices: notices(1) },
      ],
    });
    void limiter.consume({}, { cost: 10 });

    const { place } = limiter.consume({}, { place: true }) as Decision;
    clock.advance(1_000);

    expect(place).toEqual(expect.any(String));
    expect([limiter.consume({}), limiter.consume({}, { place })]).toMatchObject([
      { allowed: false },
      { allowed: true },
    ]);
  });

  it('keeps a place for so long after its moment, and no longer', () => {
    const early = [2_999, 3_001].map((after) => {
      const { clock, consume } = emptyBucket({ keep });
      consume(true);
      clock.advance(after);
      return [consume(), consume(), consume()].map(({ allowed }) => allowed);
    });

    expect(early).toEqual([
      [true, false, false],
      [true, true, true],
    ]);
  });

  it('tells a request that comes early the same place again, and moves nothing', () => {
    const { clock, consume } = emptyBucket({ keep });
    const [first] = [consume(true), consume(true)];
    clock.advance(400);

    const again = consume(first.place);
    const third = consume(true);

    expect([again.retryAfter, again.place === first.place, third.retryAfter]).toEqual([600, true, 2_600]);
  });

  it('tells a request that asks for no place the end, and is not moved by it', () => {
    const { consume } = emptyBucket({ keep });
    consume(true);

    const told = [consume(), consume(), consume(true)];

    expect(told.map(({ retryAfter }) => retryAfter)).toEqual([3_000, 3_000, 2_000]);
    expect(told.map(({ place }) => place !== undefined)).toEqual([false, false, true]);
  });

  it('takes a place of another cost, key or limiter as none', () => {
    const { clock, consume, limiter } = emptyBucket({ keep });
    const other = emptyBucket({ keep }, { name: 'other' });
    const strange = other.consume(true).place;
    const { place } = consume(true);
    clock.advance(1_000);

    expect(consume(strange).allowed).toBe(false);
    expect((limiter.consume({}, { cost: 2, place }) as Decision).allowed).toBe(false);
    expect(consume(`${place}x`).allowed).toBe(false);
    expect(consume(place).allowed).toBe(true);
  });

  it('gives a request a new place at the end that comes too late', () => {
    const { clock, consume } = emptyBucket({ keep });
    const { place } = consume(true);
    clock.advance(1_000);
    for (let unit = 0; unit < 3; unit += 1) consume(true);
    clock.advance(3_001);

    expect(consume(place)).toMatchObject({ allowed: true });
  });

  it('hides its places from a request of a tier without a line', async () => {
    const limiter = createLimiter<object>({ key: () => 'ada', limit: 1, window: '1m' });
    await limiter.consume({});

    const denied = await limiter.consume({}, { place: true });

    expect(denied).toMatchObject({ allowed: false });
    expect(denied.place).toBeUndefined();
  });

  it('refuses a place that is no text', () => {
    const { limiter } = emptyBucket({ keep });

    return expect(limiter.consume({}, { place: 5 as never })).rejects.toMatchObject({
      message: 'place must be the place of a decision, or true to ask for one, got 5',
    });
  });
});

describe('a line that tells callers apart', () => {
  const by = ({ worker = 'nobody' }: Worker) => worker;

  it('lets a caller in at its moment that brings nothing, and others after it', () => {
    const { clock, consume } = emptyBucket({ by });
    const [ada, bob] = [consume(undefined, 'ada'), consume(undefined, 'bob')];
    clock.advance(1_000);

    const admitted = ['eve', 'bob', 'ada', 'ada'].map((worker) => consume(undefined, worker).allowed);

    expect([ada, bob].map((each) => each.retryAfter)).toEqual([1_000, 2_000]);
    expect(admitted).toEqual([false, false, true, false]);
  });

  it('tells an impatient caller the same place each time', () => {
    const { clock, consume } = emptyBucket({ by });
    const told = Array.from({ length: 4 }, () => {
      const { retryAfter } = consume(undefined, 'ada');
      clock.advance(100);
      return retryAfter;
    });

    expect([told, consume(undefined, 'bob').retryAfter]).toEqual([[1_000, 900, 800, 700], 1_600]);
  });

  it('asks the function by once a request, which may be async, and names it in an error', async () => {
    const limiterBy = (whose: LineOptions<Worker>['by']) =>
      createLimiter<Worker>({ key: () => 'shared', limit: 10, window: '1m', line: line({ longest: '1h', by: whose }) });

    const decisions = limiterBy(async ({ worker }) => worker).consume({ worker: 'ada' });
    const failing = limiterBy(() => undefined).consume({});

    await expect(decisions).resolves.toMatchObject({ allowed: true });
    await expect(failing).rejects.toMatchObject({
      message: expect.stringContaining(
        'the function line.by must return a non-empty text, a whole number or an identity',
      ),
    });
  });

  it('has a place for one request, and leaves the unit of the next caller alone from then on', () => {
    const { clock, consume } = emptyBucket({ by });
    for (const worker of ['ada', 'bob']) consume(undefined, worker);
    clock.advance(2_000);

    const admitted = ['ada', 'ada', 'bob'].map((worker) => consume(undefined, worker).allowed);

    expect(admitted).toEqual([true, false, true]);
  });

  it('waits for no place that was told before the clock jumped back', () => {
    const { clock, consume } = emptyBucket({ by, longest: '1m' });
    for (const worker of ['ada', 'bob']) consume(undefined, worker);
    clock.step(-3_600_000);

    const told = ['ada', 'bob', 'ada'].map((worker) => consume(undefined, worker).retryAfter);

    expect(Math.max(...told)).toBeLessThanOrEqual(60_000);
  });

  it('waits for no place of a line that was reset', async () => {
    const { consume, limiter } = emptyBucket({ by });
    for (const worker of ['ada', 'bob', 'eve']) consume(undefined, worker);
    await limiter.reset({});
    await limiter.consume({ worker: 'first' }, { cost: 10 });

    const told = ['dan', 'eve', 'fay'].map((worker) => consume(undefined, worker).retryAfter);

    expect(told).toEqual([1_000, 2_000, 3_000]);
  });
});
