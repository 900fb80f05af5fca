import { configError } from '../../../../test/support/config-error.js';
import { warningCatcher } from '../../../../test/support/warnings.js';
import { cached, type CachedOptions } from './cached.js';

/** A source that answers when the test says so. */
class Source {
  readonly asked: string[] = [];
  readonly #waiting: { resolve: (value: number) => void; reject: (error: Error) => void }[] = [];

  readonly load = (key: string) => {
    this.asked.push(key);
    return new Promise<number>((resolve, reject) => this.#waiting.push({ resolve, reject }));
  };

  answer(value: number): void {
    this.#waiting.shift()!.resolve(value);
  }

  answerLast(value: number): void {
    this.#waiting.pop()!.resolve(value);
  }

  fail(error: Error): void {
    this.#waiting.shift()!.reject(error);
  }
}

describe('cached', () => {
  const warnings = warningCatcher();
  let source: Source;

  beforeEach(() => {
    jest.useFakeTimers();
    source = new Source();
  });
  afterEach(() => jest.useRealTimers());

  const make = (options: Partial<CachedOptions<number>> = {}) => cached(source.load, { otherwise: 5, ...options });

  /** A function that has an answer of 7 for the key `a`. */
  async function known(options?: Partial<CachedOptions<number>>) {
    const limitOf = make(options);
    const first = limitOf('a');
    source.answer(7);
    await first;
    return limitOf;
  }

  it('asks once for all requests that ask for a key at the same time', async () => {
    const limitOf = make();
    const answers = [limitOf('a'), limitOf('a'), limitOf('b'), limitOf('a')];
    source.answer(7);
    source.answer(8);

    expect(await Promise.all(answers)).toEqual([7, 7, 8, 7]);
    expect(source.asked).toEqual(['a', 'b']);
  });

  it('answers a known key without a promise', async () => {
    const limitOf = await known();

    expect(limitOf('a')).toBe(7);
  });

  it('uses an old answer while a new one is on its way, and then the new one', async () => {
    const limitOf = await known({ for: '1m' });
    jest.advanceTimersByTime(61_000);
    const old = limitOf('a');
    source.answer(9);
    await jest.advanceTimersByTimeAsync(0);

    expect([old, limitOf('a'), source.asked.length]).toEqual([7, 9, 2]);
  });

  it('waits for a new answer when the old one is older than stale', async () => {
    const limitOf = await known({ for: '1m', stale: '1h' });
    jest.advanceTimersByTime(61 * 60_000);
    const answer = limitOf('a');
    source.answer(9);

    expect(await answer).toBe(9);
  });

  it('answers otherwise at the timeout, and uses the answer that comes later', async () => {
    const limitOf = make({ timeout: '200ms' });
    const late = limitOf('a');
    await jest.advanceTimersByTimeAsync(201);
    const next = limitOf('a');
    source.answer(7);
    await jest.advanceTimersByTimeAsync(0);

    expect([await late, next, limitOf('a'), source.asked.length]).toEqual([5, 5, 7, 1]);
    expect(warnings()).toEqual([['SLUICE_CACHED_FAILED', expect.stringContaining('within 200 ms')]]);
  });

  it('waits for a source that answers, however long this process itself has stood still', async () => {
    const limitOf = make({ timeout: '200ms' });
    const answers = [limitOf('a')];
    const clock = jest.spyOn(performance, 'now').mockReturnValue(performance.now() + 1_000);
    answers.push(limitOf('a'));
    clock.mockRestore();
    source.answer(7);

    expect(await Promise.all(answers)).toEqual([7, 7]);
  });

  it('takes an answer that is there when the timeout has rung, and does not warn', async () => {
    const limitOf = make({ timeout: '200ms' });
    const answer = limitOf('a');
    jest.advanceTimersByTime(200);
    source.answer(7);
    await jest.advanceTimersByTimeAsync(1);

    expect([await answer, warnings()]).toEqual([7, []]);
  });

  it('has one timer for all requests that wait for a source', async () => {
    const limitOf = make({ timeout: '200ms' });
    const answers = Array.from({ length: 3 }, () => limitOf('a'));
    const timers = jest.getTimerCount();
    await jest.advanceTimersByTimeAsync(201);

    expect([timers, await Promise.all(answers)]).toEqual([1, [5, 5, 5]]);
  });

  it('begins another query when one has not ended after 30 s', async () => {
    const limitOf = make();
    void limitOf('a');
    await jest.advanceTimersByTimeAsync(30_000);
    const second = limitOf('a');
    await jest.advanceTimersByTimeAsync(201);

    expect([await second, source.asked.length]).toEqual([5, 2]);
  });

  it('keeps the newer answer when a query that was given up answers after it', async () => {
    const limitOf = make();
    const lost = limitOf('a');
    await jest.advanceTimersByTimeAsync(30_000);
    const second = limitOf('a');
    source.answerLast(8);
    await second;
    source.answer(7);
    await jest.advanceTimersByTimeAsync(0);

    expect([await lost, await second, limitOf('a')]).toEqual([5, 8, 8]);
  });

  it('answers otherwise after a failure, asks again a second later, and does not show the message', async () => {
    const limitOf = make();
    const first = limitOf('a');
    source.fail(Object.assign(new TypeError('no row for ada@example.com'), { code: 'P2025' }));
    const failed = await first;
    const resting = limitOf('a');
    jest.advanceTimersByTime(1_000);
    const again = limitOf('a');
    source.answer(7);

    expect([failed, resting, await again, source.asked.length]).toEqual([5, 5, 7, 2]);
    expect(warnings()).toEqual([['SLUICE_CACHED_FAILED', expect.stringContaining('TypeError P2025')]]);
    expect(warnings()[0]![1]).not.toContain('ada');
  });

  it('uses the old answer where the source fails', async () => {
    const limitOf = await known({ for: '1m', stale: '1h' });
    jest.advanceTimersByTime(2 * 60_000);
    const old = limitOf('a');
    source.fail(new Error('away'));
    await jest.advanceTimersByTimeAsync(0);

    expect([old, limitOf('a')]).toEqual([7, 7]);
  });

  it('tells numbers from texts', async () => {
    const kindOf = cached((key: string | number) => typeof key, { otherwise: 'unknown' });

    expect([await kindOf(1), await kindOf('1')]).toEqual(['number', 'string']);
  });

  it('takes a function that throws or answers synchronously', async () => {
    const limitOf = cached(
      (key: string) => {
        if (key === 'bad') throw new Error('bad');
        return 3;
      },
      { otherwise: 1 },
    );

    expect([await limitOf('good'), limitOf('good'), await limitOf('bad')]).toEqual([3, 3, 1]);
  });

  it.each([
    [{ for: 60 }, 'for', "write '60s'"],
    [{ timeout: '0ms' }, 'timeout', '1 ms to 30 s'],
    [{ ttl: '1m' }, 'ttl', 'is not an option'],
    [{ otherwise: undefined }, 'otherwise', 'while the source does not answer'],
  ] as const)('names the option of %j', (options, option, words) => {
    expect(() => cached(source.load, { otherwise: 5, ...options } as CachedOptions<number>)).toThrow(
      configError(expect.any(String) as never, option, words),
    );
  });
});
