import { runInNewContext } from 'node:vm';

import { proceed } from './proceed.js';

describe('proceed', () => {
  it('goes on with a value at once, without a promise', () => {
    expect(proceed(20, (value) => value + 1)).toBe(21);
  });

  it('goes on with a promise when its value arrives', async () => {
    const proceeded = proceed(Promise.resolve(20), (value) => value + 1);

    expect(proceeded).toBeInstanceOf(Promise);
    await expect(proceeded).resolves.toBe(21);
  });

  it('goes on with a promise of another realm, and makes it one of its own', async () => {
    const foreign = runInNewContext('Promise.resolve(20)') as Promise<number>;

    const proceeded = proceed(foreign, (value) => value + 1);

    expect(foreign).not.toBeInstanceOf(Promise);
    expect(proceeded).toBeInstanceOf(Promise);
    await expect(proceeded).resolves.toBe(21);
  });

  it('does not go on after a rejection', async () => {
    const next = jest.fn();

    await expect(proceed(Promise.reject(new Error('lost')), next)).rejects.toThrow('lost');
    expect(next).not.toHaveBeenCalled();
  });
});
