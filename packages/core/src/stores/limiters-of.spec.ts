import { createLimiter } from '../limiter/limiter.js';
import { limitersOf } from '../limiter/limiter-view.js';
import { memoryStore } from './memory/memory-store.js';

const key = () => 'ada';

describe('limitersOf', () => {
  it('lists the limiters of a store with their tiers, largest first', () => {
    const store = memoryStore();
    createLimiter({ store: memoryStore(), key, name: 'elsewhere', limit: 1, window: '1m' });
    const limiter = createLimiter<object>({
      store,
      tiers: [
        { name: 'burst', key, limit: 5, window: '1s', mode: 'shadow' },
        { name: 'hour', key, limit: () => 9, window: '1h' },
      ],
    });

    const listed = limitersOf(store);

    expect(limiter).toBeDefined();
    expect(listed).toMatchObject([
      {
        prefix: 'rl',
        isPartitioned: false,
        tiers: [
          { name: 'hour', shadow: false, limit: 'by-request', policy: expect.objectContaining({ window: 3.6e9 }) },
          { name: 'burst', shadow: true, limit: 5, policy: expect.objectContaining({ window: 1e6, limit: 5 }) },
        ],
      },
    ]);
  });

  it('lists of plans the tiers that have decided a request', async () => {
    const store = memoryStore();
    const [free, paid] = [1, 2].map((limit) => [{ name: `plan-${limit}`, key, limit, window: '1m' } as const]);
    const limiter = createLimiter({ store, tiers: (plan: string) => (plan === 'paid' ? paid! : free!) });
    const namesOf = () => limitersOf(store).flatMap(({ tiers }) => tiers.map(({ name }) => name));

    const before = namesOf();
    await limiter.consume('free');
    const after = namesOf();

    expect([before, after]).toEqual([[], ['plan-1']]);
  });

  it('lists no limiter that was closed', async () => {
    const store = memoryStore();
    const before = createLimiter({ store, key, name: 'hour', limit: 3, window: '1h' });
    await before.close();
    const limiter = createLimiter({ store, key, name: 'hour', limit: 9, window: '1h' });

    const limits = limitersOf(store).flatMap(({ tiers }) => tiers.map(({ limit }) => limit));

    expect(limits).toEqual([9]);
    await limiter.close();
  });

  it('is empty for a store without limiters', () => {
    expect(limitersOf(memoryStore())).toEqual([]);
  });
});
