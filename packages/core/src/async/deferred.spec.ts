import * as fc from 'fast-check';
import { Deferred } from './deferred.js';

const add = (value: number) => value + 1;
const failing = () => {
  throw new Error('the step failed');
};

describe('a value that is on its way', () => {
  it('goes on in the turn in which it arrives', () => {
    const later = new Deferred<number>();
    const seen: number[] = [];

    later.chain(add).chain((value) => seen.push(value));
    later.arrive(20);

    expect(seen).toEqual([21]);
  });

  it('goes on at once when it has arrived before', () => {
    const later = new Deferred<number>();
    const seen: number[] = [];
    later.arrive(20);

    later.chain((value) => seen.push(value));

    expect(seen).toEqual([20]);
  });

  it('waits for a step that takes a while, and for one of its own kind', async () => {
    const later = new Deferred<number>();
    const inner = new Deferred<number>();
    const proceeded = later.chain(async (value) => value + 1).chain((value) => inner.chain((other) => value + other));

    later.arrive(20);
    inner.arrive(100);

    await expect(proceeded).resolves.toBe(121);
  });

  it('passes its failure by the steps that do not recover from it', async () => {
    const later = new Deferred<number>();
    const next = jest.fn();
    const proceeded = later.chain(next).chain(next, (error) => (error as Error).message);

    later.fail(new Error('lost'));

    await expect(proceeded).resolves.toBe('lost');
    expect(next).not.toHaveBeenCalled();
  });

  it('makes what a step throws a failure of that step, and of nobody else', async () => {
    const later = new Deferred<number>();
    const first = later.chain(failing);
    const second = later.chain(add);

    later.arrive(20);

    await expect(first).rejects.toThrow('the step failed');
    await expect(second).resolves.toBe(21);
  });

  it('makes what a recovery throws a failure', async () => {
    const later = new Deferred<number>();
    const proceeded = later.chain(add, failing);

    later.fail(new Error('lost'));

    await expect(proceeded).rejects.toThrow('the step failed');
  });

  it('tells everybody who has asked, in their order', () => {
    const later = new Deferred<number>();
    const seen: string[] = [];
    for (const name of ['a', 'b', 'c']) later.chain((value) => seen.push(`${name}${value}`));

    later.arrive(1);

    expect(seen).toEqual(['a1', 'b1', 'c1']);
  });

  it('comes once, whatever comes after it', async () => {
    const [good, bad] = [new Deferred<number>(), new Deferred<number>()];
    const seen: unknown[] = [];
    good.chain(
      (value) => seen.push(value),
      (error) => seen.push(error),
    );
    bad.chain(
      (value) => seen.push(value),
      () => seen.push('lost'),
    );

    good.arrive(1);
    good.fail(new Error('lost'));
    good.arrive(2);
    bad.fail(new Error('lost'));
    bad.arrive(3);

    expect(seen).toEqual([1, 'lost']);
    await expect(good).resolves.toBe(1);
  });

  it('tells everybody of a failure', async () => {
    const later = new Deferred<number>();
    const asked = [later.promise(), later.chain(add), later.chain(add)];

    later.fail(new Error('lost'));

    const settled = await Promise.allSettled(asked);
    expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  });
});

describe('a value that is on its way, as a promise', () => {
  it('is awaited, caught and ended like one', async () => {
    const good = new Deferred<number>();
    const bad = new Deferred<number>();
    const end = jest.fn();
    const told = [good.then(add), bad.catch((error: unknown) => (error as Error).message), good.finally(end)];

    good.arrive(1);
    bad.fail(new Error('lost'));

    await expect(Promise.all(told)).resolves.toEqual([2, 'lost', 1]);
    expect(end).toHaveBeenCalledTimes(1);
    expect(Object.prototype.toString.call(good)).toBe('[object Deferred]');
  });

  it('is one promise, however often it is asked for', () => {
    const later = new Deferred<number>();

    const [first, second] = [later.promise(), later.promise()];

    expect(first).toBe(second);
    expect(first).toBeInstanceOf(Promise);
  });

  it('does with any steps what promises do', async () => {
    const step = fc.constantFrom<'next' | 'recover' | 'throw' | 'wait'>('next', 'recover', 'throw', 'wait');
    await fc.assert(
      fc.asyncProperty(fc.array(step), fc.boolean(), fc.boolean(), async (steps, fails, arrivesFirst) => {
        const later = new Deferred<string>();
        const settle = () => (fails ? later.fail(new Error('lost')) : later.arrive('came'));
        const promise = fails ? Promise.reject(new Error('lost')) : Promise.resolve('came');
        if (arrivesFirst) settle();

        const laters = steps.reduce((value, each) => value.chain(...stepOf(each)), later);
        const promises = steps.reduce((value, each) => value.then(...stepOf(each)), promise);
        if (!arrivesFirst) settle();

        const [ours, theirs] = await Promise.allSettled([laters, promises]);
        expect(ours).toEqual(theirs);
      }),
    );
  });

  it('rejects as well when it is asked after it has failed', async () => {
    const later = new Deferred<number>();

    later.fail(new Error('lost'));

    await expect(later.promise()).rejects.toThrow('lost');
    await expect(later.chain(add, () => 0)).resolves.toBe(0);
  });
});

describe('a promise of what a step makes of a value that is on its way', () => {
  it('is kept by a step in the turn in which the value arrives', async () => {
    const later = new Deferred<number>();
    const seen: number[] = [];

    const promises = [1, 2].map((each) => later.promiseOf((value) => seen.push(value + each)));
    later.arrive(20);

    expect(seen).toEqual([21, 22]);
    expect(promises[0]).toBeInstanceOf(Promise);
    await expect(Promise.all(promises)).resolves.toEqual([1, 2]);
  });

  it('is kept at once where the value has arrived before', async () => {
    const later = new Deferred<number>();
    const step = jest.fn(add);
    later.arrive(20);

    const promise = later.promiseOf(step);

    expect(step).toHaveBeenCalledTimes(1);
    await expect(promise).resolves.toBe(21);
  });

  it('is broken by what the step throws, and nobody else is told of that', async () => {
    const later = new Deferred<number>();
    const [broken, other] = [later.promiseOf(failing), later.promiseOf(add)];

    later.arrive(20);

    await expect(broken).rejects.toThrow('the step failed');
    await expect(other).resolves.toBe(21);
    await expect(later.promiseOf(failing)).rejects.toThrow('the step failed');
  });

  it('is broken by the failure, without the step, whenever it is asked for', async () => {
    const later = new Deferred<number>();
    const step = jest.fn();
    const before = later.promiseOf(step);

    later.fail(new Error('lost'));

    await expect(before).rejects.toThrow('lost');
    await expect(later.promiseOf(step)).rejects.toThrow('lost');
    expect(step).not.toHaveBeenCalled();
  });

  it('is broken by a failure that came before anybody has asked', async () => {
    const later = new Deferred<number>();

    later.fail(new Error('lost'));

    await expect(later.promiseOf(add)).rejects.toThrow('lost');
  });
});

type Pass = (value: string) => string | Promise<string>;

function stepOf(step: 'next' | 'recover' | 'throw' | 'wait'): [next: Pass, recover?: (error: unknown) => string] {
  switch (step) {
    case 'next':
      return [(value) => `${value}.`];
    case 'recover':
      return [(value) => `${value}!`, (error) => (error as Error).message];
    case 'wait':
      return [async (value) => `${value},`];
    default:
      return [failing];
  }
}
