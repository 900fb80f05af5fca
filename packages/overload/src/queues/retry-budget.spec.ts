import { configError } from '../../../../test/support/config-error.js';
import { OverloadError } from './overload-error.js';
import { retryBudget } from './retry-budget.js';
import { SpentRetries } from './spent-retries.js';

const gone = () => Promise.reject(new Error('gone'));
/** A budget for which one first try has earned a retry. */
const whole = { budget: 1, pause: '1ms' } as const;

describe('retryBudget', () => {
  it('calls again what has failed, and resolves with the first result', async () => {
    const tries: number[] = [];

    const value = await retryBudget({ ...whole, tries: 2 }).run((attempt) => {
      tries.push(attempt);
      return attempt === 2 ? 'late' : gone();
    });

    expect([value, tries]).toEqual(['late', [1, 2]]);
  });

  it('throws the last error when no try is left', async () => {
    const retries = retryBudget({ ...whole, tries: 2 });
    const errors: unknown[] = [];

    const ran = retries
      .run((attempt) => Promise.reject(new Error(`try ${attempt}`)))
      .catch((error: Error) => {
        errors.push(error.message);
      });
    await ran;

    expect(errors).toEqual(['try 2']);
  });

  it('calls once while the budget is spent', async () => {
    const retries = retryBudget({ pause: '1ms' });
    let calls = 0;
    const call = () => {
      calls += 1;
      return gone();
    };

    for (let first = 0; first < 9; first += 1) await retries.run(call).catch(() => {});
    expect([calls, retries.left]).toEqual([9, 0]);
    await retries.run(call).catch(() => {});

    expect([calls, retries.left]).toEqual([11, 0]);
  });

  it.each([
    ['an abort', new DOMException('left', 'AbortError')],
    ['a deadline', new DOMException('late', 'TimeoutError')],
    ['an overloaded queue', new OverloadError('database')],
  ])('does not call again after %s', async (_, error) => {
    let calls = 0;
    const ran = retryBudget(whole).run(() => {
      calls += 1;
      throw error;
    });

    await expect(ran).rejects.toBe(error);
    expect(calls).toBe(1);
  });

  it('asks the application which errors are worth another try', async () => {
    let calls = 0;
    const ran = retryBudget({ ...whole, retryable: () => false }).run(() => {
      calls += 1;
      return gone();
    });

    await expect(ran).rejects.toThrow('gone');
    expect(calls).toBe(1);
  });

  it('ends its pause when a signal aborts, with the error of the call', async () => {
    const leaving = new AbortController();
    const ran = retryBudget({ budget: 1, pause: '1m' }).run(
      () => {
        setImmediate(() => leaving.abort());
        return gone();
      },
      { signal: leaving.signal },
    );

    await expect(ran).rejects.toThrow('gone');
  });

  it.each([
    ['budget', { budget: 2 }],
    ['tries', { tries: 1 }],
    ['pause', { pause: '2h' as const }],
    ['retryable', { retryable: true as never }],
  ])('names the option %s that is wrong', (option, options) => {
    expect(() => retryBudget(options)).toThrow(configError('OPTION_INVALID', option, `retryBudget: ${option}`));
  });
});

/** Calls at a rate, all of which fail and want another try. */
function storm(perSecond: (second: number) => number, seconds: number) {
  const spent = new SpentRetries(0.1);
  const first: number[] = [];
  const again: number[] = [];
  for (let second = 0; second < seconds; second += 1) {
    first.push(0);
    again.push(0);
    const calls = perSecond(second);
    for (let call = 0; call < calls; call += 1) {
      const now = second * 1_000 + (call * 1_000) / calls;
      spent.countFirst(now);
      first[second]! += 1;
      if (spent.take(now)) again[second]! += 1;
    }
  }
  return { first, again };
}

describe('the retries of an upstream that fails every call', () => {
  const sum = (counts: readonly number[], from: number, to: number) =>
    counts.slice(from, to).reduce((total, count) => total + count, 0);

  it.each([1, 7, 50, 1_000])('are a tenth of the first tries in any 10 seconds, at %d calls a second', (calls) => {
    const { first, again } = storm(() => calls, 60);

    for (let from = 0; from <= 50; from += 1) {
      expect(sum(again, from, from + 10)).toBeLessThanOrEqual(0.1 * sum(first, from, from + 10) + 1e-9);
    }
    expect(sum(again, 0, 60)).toBeGreaterThanOrEqual(Math.floor(0.09 * sum(first, 0, 60)));
  });

  it('are never more in a second than a tenth of its first tries, and ten', () => {
    const { first, again } = storm((second) => [1, 5_000, 0, 40, 900][second % 5]!, 60);

    again.forEach((count, second) => expect(count).toBeLessThanOrEqual(0.1 * first[second]! + 10));
  });

  it('are ten at once, however many calls were well before', () => {
    const spent = new SpentRetries(0.1);
    for (let call = 0; call < 50_000; call += 1) spent.countFirst(call / 5);

    expect(spent.left(10_000)).toBe(10);
  });

  it('are those of the last ten seconds alone', () => {
    const spent = new SpentRetries(0.1);
    for (let call = 0; call < 1_000; call += 1) spent.countFirst(call);
    const left = spent.left(1_000);
    spent.countFirst(30_000);

    expect([left, spent.left(30_000), spent.take(30_000)]).toEqual([10, 0, false]);
  });
});
