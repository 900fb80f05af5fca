import { runInNewContext } from 'node:vm';
import * as fc from 'fast-check';
import { chain, chainToPromise, Deferred, isPromise } from './deferred.js';

const add = (value: number) => value + 1;
const lost = new Error('lost');
const failing = () => {
  throw new Error('the callback failed');
};

/** A promise that is not `instanceof Promise` here. */
const foreignPromise = () => runInNewContext('Promise.resolve(20)') as Promise<number>;

const outcomesOf = async (promises: readonly unknown[]) =>
  (await Promise.allSettled(promises)).map((settled) =>
    settled.status === 'fulfilled' ? settled.value : (settled.reason as Error).message,
  );

describe('Deferred', () => {
  it('runs callbacks in the turn in which it settles', () => {
    const deferred = new Deferred<number>();
    const seen: number[] = [];

    deferred.chain(add).chain((value) => seen.push(value));
    deferred.resolve(20);

    expect(seen).toEqual([21]);
  });

  it('runs callbacks immediately when it has settled', () => {
    const deferred = new Deferred<number>();
    const seen: number[] = [];
    deferred.resolve(20);

    deferred.chain((value) => seen.push(value));

    expect(seen).toEqual([20]);
  });

  it('runs callbacks in the order in which they were added', () => {
    const deferred = new Deferred<number>();
    const seen: string[] = [];
    for (const name of ['a', 'b', 'c']) deferred.chain((value) => seen.push(`${name}${value}`));

    deferred.resolve(1);

    expect(seen).toEqual(['a1', 'b1', 'c1']);
  });

  it('waits for the promise or deferred that a callback returns', async () => {
    const [deferred, inner] = [new Deferred<number>(), new Deferred<number>()];
    const chained = deferred.chain(async (value) => value + 1).chain((value) => inner.chain((other) => value + other));

    deferred.resolve(20);
    inner.resolve(100);

    await expect(chained).resolves.toBe(121);
  });

  it('settles like a promise that it is resolved with', async () => {
    const [good, bad] = [new Deferred<number>(), new Deferred<number>()];

    good.resolve(foreignPromise());
    bad.resolve(Promise.reject(lost));

    expect(await outcomesOf([good, bad])).toEqual([20, 'lost']);
  });

  it('settles once', async () => {
    const [good, bad] = [new Deferred<number>(), new Deferred<number>()];
    const seen: unknown[] = [];
    for (const each of [good, bad]) {
      each.chain(
        (value) => seen.push(value),
        () => seen.push('lost'),
      );
    }

    good.resolve(1);
    good.reject(lost);
    good.resolve(2);
    bad.reject(lost);
    bad.resolve(3);
    bad.reject(lost);

    expect(seen).toEqual([1, 'lost']);
    await expect(good).resolves.toBe(1);
  });

  it('rejects only the chain of a callback that throws', async () => {
    const [good, bad] = [new Deferred<number>(), new Deferred<number>()];
    const chained = [good.chain(failing), good.chain(add), bad.chain(add, failing), bad.chain(add, () => 0)];

    good.resolve(20);
    bad.reject(lost);

    expect(await outcomesOf(chained)).toEqual(['the callback failed', 21, 'the callback failed', 0]);
  });

  it('rejects every promise and chain that does not handle its error', async () => {
    const deferred = new Deferred<number>();
    const next = jest.fn();
    const all = [deferred.promise(), deferred.chain(next), deferred.chain(next).chain(next), deferred.then(next)];

    deferred.reject(lost);

    expect(await outcomesOf(all)).toEqual(['lost', 'lost', 'lost', 'lost']);
    expect(next).not.toHaveBeenCalled();
  });

  it('rejects a promise that is taken after it was rejected', async () => {
    const deferred = new Deferred<number>();

    deferred.reject(lost);

    await expect(deferred.promise()).rejects.toBe(lost);
    await expect(deferred.chain(add, () => 0)).resolves.toBe(0);
  });

  it('is a promise to everything else', async () => {
    const [good, bad] = [new Deferred<number>(), new Deferred<number>()];
    const onSettled = jest.fn();
    const all = [good.then(add), bad.catch((error: unknown) => (error as Error).message), good.finally(onSettled)];

    good.resolve(1);
    bad.reject(lost);

    expect(await outcomesOf(all)).toEqual([2, 'lost', 1]);
    expect(onSettled).toHaveBeenCalledTimes(1);
    expect(good.promise()).toBe(good.promise());
    expect(Object.prototype.toString.call(good)).toBe('[object Deferred]');
  });

  it('behaves like a promise in any chain', async () => {
    const steps = fc.array(fc.constantFrom<Step>('next', 'recover', 'throw', 'wait'));
    await fc.assert(
      fc.asyncProperty(steps, fc.boolean(), fc.boolean(), async (chained, fails, settlesFirst) => {
        const deferred = new Deferred<string>();
        const settle = () => (fails ? deferred.reject(lost) : deferred.resolve('came'));
        const promise = fails ? Promise.reject(lost) : Promise.resolve('came');
        if (settlesFirst) settle();

        const ours = chained.reduce((value, each) => value.chain(...callbacksOf(each)), deferred);
        const theirs = chained.reduce((value, each) => value.then(...callbacksOf(each)), promise);
        if (!settlesFirst) settle();

        const [one, other] = await outcomesOf([ours, theirs]);
        expect(one).toEqual(other);
      }),
    );
  });
});

describe.each([
  ['chain', chain],
  ['chainToPromise', chainToPromise],
])('%s', (name, chained) => {
  it('applies a callback to a plain value immediately', () => {
    expect(chained(20, add)).toBe(21);
  });

  it('applies a callback to the value of a promise of any realm, and returns a native promise', async () => {
    const all = [Promise.resolve(20), foreignPromise()].map((each) => chained(each, add));

    expect(all.map((each) => each instanceof Promise)).toEqual([true, true]);
    expect(await outcomesOf(all)).toEqual([21, 21]);
  });

  it(`returns ${name === 'chain' ? 'a deferred' : 'a native promise'} for a deferred`, async () => {
    const deferred = new Deferred<number>();
    const onValue = jest.fn(add);

    const result = chained(deferred, onValue);
    deferred.resolve(20);

    expect(onValue).toHaveBeenCalledTimes(1);
    expect(result).toBeInstanceOf(name === 'chain' ? Deferred : Promise);
    await expect(result).resolves.toBe(21);
  });

  it('applies no callback to an error', async () => {
    const deferred = new Deferred<number>();
    const next = jest.fn();
    const all = [chained(deferred, next), chained(Promise.reject(lost), next)];

    deferred.reject(lost);

    expect(await outcomesOf(all)).toEqual(['lost', 'lost']);
    expect(next).not.toHaveBeenCalled();
  });
});

type Step = 'next' | 'recover' | 'throw' | 'wait';
type Callback = (value: string) => string | Promise<string>;

function callbacksOf(step: Step): [onValue: Callback, onError?: (error: unknown) => string] {
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

describe('isPromise', () => {
  it.each([[undefined], [null], [0], ['then'], [{}], [JSON.parse('{ "then": 5 }')], [[]]])(
    'is false for %p',
    (value) => {
      expect(isPromise(value)).toBe(false);
    },
  );
});
