import { createLimiter } from '../../../core/src/limiter/limiter.js';
import { memoryStore } from '../../../core/src/stores/memory/memory-store.js';
import type { Store } from '../../../core/src/stores/store.js';
import { decisionsOf } from './decisions-of.js';

function limiterIn(store: Store, name: string) {
  return createLimiter<object>({ store, name, key: () => 'ada', limit: 5, window: '1m' });
}

describe('decisionsOf', () => {
  it('is true for decisions of each limiter of the store, and for no other', async () => {
    const [store, other] = [memoryStore(), memoryStore()];
    const limiters = [limiterIn(store, 'one'), limiterIn(other, 'one'), limiterIn(store, 'two')];
    const isOurs = decisionsOf(store);

    const found: boolean[] = [];
    for (const limiter of [...limiters, ...limiters]) found.push(isOurs(await limiter.consume({})));

    expect(found).toEqual([true, false, true, true, false, true]);
  });

  it('is false for a decision that consume has not returned', async () => {
    const store = memoryStore();
    const limiter = limiterIn(store, 'one');

    expect(decisionsOf(store)(await limiter.peek({}))).toBe(false);
  });
});
