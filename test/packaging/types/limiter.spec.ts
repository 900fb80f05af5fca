import { createLimiter, memoryStore, type Limiter, type Store } from '@sluice/core';
import { redisStore } from '@sluice/redis';

// `npm run lint` compiles this file. Each @ts-expect-error is an error that the types must report.

const options = { name: 'minute', limit: 1, window: '1m' } as const;

describe('The types of limiters', () => {
  it('promise a decision where the store is in another process, so that `then` is safe', async () => {
    const store = redisStore({ url: 'redis://127.0.0.1:1' }, { connectDeadline: '1ms' });
    const limiter = createLimiter<string>({ ...options, store, key: (user) => user });
    const inferred = createLimiter({ ...options, store, key: (user: string) => user });

    const decided: Promise<boolean> = limiter.consume('ada').then(({ allowed }) => allowed);
    const peeked = inferred.peek('ada').then(({ source }) => source);

    expect([await decided, await peeked]).toEqual([true, 'local']);
    await store.close();
  });

  it('say that a limiter in memory may answer immediately', async () => {
    const limiter = createLimiter<string>({ ...options, store: memoryStore(), key: (user) => user });
    const byDefault = createLimiter<string>({ ...options, key: (user) => user });
    const decisions = [limiter.consume('ada'), byDefault.peek('ada')];

    // @ts-expect-error -- a limiter in memory may return no promise
    expect(() => limiter.consume('ada').then(String)).toThrow(TypeError);
    expect(decisions.map((each) => each instanceof Promise)).toEqual([false, false]);
  });

  it('take a store of which nothing is known, and a limiter with any store', async () => {
    const store = memoryStore() as Store;
    const limiter: Limiter<string> = createLimiter<string>({ ...options, store, key: (user) => user });

    expect((await limiter.consume('ada')).allowed).toBe(true);
  });
});
