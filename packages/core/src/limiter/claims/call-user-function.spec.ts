import { callUserFunction } from './call-user-function.js';

describe('callUserFunction', () => {
  it('returns what the function returns of the subject, a promise only where there was one', async () => {
    expect(callUserFunction('tier', 'cost', ({ units }) => units, { units: 3 })).toBe(3);
    expect(callUserFunction('tier', 'cost', () => undefined, {})).toBeUndefined();
    await expect(callUserFunction('tier', 'cost', async ({ units }) => units, { units: 3 })).resolves.toBe(3);
  });

  it.each<[string, () => unknown]>([
    [
      'throws',
      () => {
        throw new Error('down');
      },
    ],
    ['rejects', () => Promise.reject(new Error('down'))],
  ])('rejects with UsageError, with its cause, where the function %s', async (_what, call) => {
    const attempted = callUserFunction('tier "hour"', 'cost', call, {});

    expect(attempted).toBeInstanceOf(Promise);
    await expect(attempted).rejects.toMatchObject({
      name: 'UsageError',
      code: 'FUNCTION_FAILED',
      message: 'tier "hour": the function cost failed',
      cause: expect.objectContaining({ message: 'down' }),
    });
  });
});
