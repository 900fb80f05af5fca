import { runInNewContext } from 'node:vm';

import { Deferred } from './deferred.js';
import { chain, chainToPromise } from './chain.js';

describe('chain', () => {
  it('goes on with a value at once, without a promise', () => {
    expect(chain(20, (value) => value + 1)).toBe(21);
  });

  it('goes on with a promise when its value arrives', async () => {
    const proceeded = chain(Promise.resolve(20), (value) => value + 1);

    expect(proceeded).toBeInstanceOf(Promise);
    await expect(proceeded).resolves.toBe(21);
  });

  it('goes on with a promise of another realm, and makes it one of its own', async () => {
    const foreign = runInNewContext('Promise.resolve(20)') as Promise<number>;

    const proceeded = chain(foreign, (value) => value + 1);

    expect(foreign).not.toBeInstanceOf(Promise);
    expect(proceeded).toBeInstanceOf(Promise);
    await expect(proceeded).resolves.toBe(21);
  });

  it('does not go on after a rejection', async () => {
    const next = jest.fn();

    await expect(chain(Promise.reject(new Error('lost')), next)).rejects.toThrow('lost');
    expect(next).not.toHaveBeenCalled();
  });
});

describe('chainToPromise', () => {
  it('goes on with a value at once, without a promise', () => {
    expect(chainToPromise(20, (value) => value + 1)).toBe(21);
  });

  it('goes on with a value that is on its way in the turn in which it arrives, and gives on a promise', async () => {
    const later = new Deferred<number>();
    const next = jest.fn((value: number) => value + 1);

    const made = chainToPromise(later, next);
    later.arrive(20);

    expect(next).toHaveBeenCalledTimes(1);
    expect(made).toBeInstanceOf(Promise);
    await expect(made).resolves.toBe(21);
  });

  it('goes on with a promise, of another realm too, and gives on one of its own', async () => {
    const foreign = runInNewContext('Promise.resolve(20)') as Promise<number>;

    const made = [Promise.resolve(20), foreign].map((each) => chainToPromise(each, (value) => value + 1));

    expect(made.map((each) => each instanceof Promise)).toEqual([true, true]);
    await expect(Promise.all(made)).resolves.toEqual([21, 21]);
  });

  it('does not go on after a failure', async () => {
    const later = new Deferred<number>();
    const next = jest.fn();
    const made = [chainToPromise(later, next), chainToPromise(Promise.reject(new Error('lost')), next)];

    later.fail(new Error('lost'));

    const settled = await Promise.allSettled(made);
    expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(next).not.toHaveBeenCalled();
  });
});
