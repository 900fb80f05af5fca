import { inspect } from 'node:util';
import { createLimiter } from '../limiter.js';
import { memoryStore } from '../../stores/memory/memory-store.js';
import type { Store } from '../../stores/store.js';
import { tracksOf } from './tracks-of.js';

/** A limiter, and the keys that its store has seen. */
function scene(partition?: (subject: { user: string }) => string) {
  const keys: string[] = [];
  const memory = memoryStore();
  const store: Store = {
    consume(group) {
      keys.push(...group.map(({ key }) => key));
      return memory.consume(group);
    },
    peek: (group) => memory.peek(group),
    refund: (receipts) => memory.refund(receipts),
    reset: (reset) => memory.reset(reset),
    inspect: (key) => memory.inspect(key),
    close: () => memory.close(),
  };
  const limiter = createLimiter<{ user: string }>({
    store,
    ...(partition && { partition }),
    tiers: [
      { name: 'a:hour', key: ({ user }) => user, limit: 5, window: '1h' },
      { name: 'minute', key: () => 'all', limit: 2, window: '1m', countDenied: true, cost: 2 },
    ],
  });
  return { limiter, keys };
}

describe('tracksOf', () => {
  it.each([
    ['without a partition', undefined],
    ['with a partition', () => 'team'],
  ])('has the digest of each key, its cost and what was charged, %s', async (_how, partition) => {
    const { limiter, keys } = scene(partition);

    const admitted = tracksOf(await limiter.consume({ user: 'ada' }));
    const denied = tracksOf(await limiter.consume({ user: 'ada' }));

    expect(admitted).toMatchObject([
      { tier: 'a:hour', cost: 1, charged: 1 },
      { tier: 'minute', cost: 2, charged: 2 },
    ]);
    expect(denied.map(({ charged }) => charged)).toEqual([0, 0]);
    for (const [index, { digest }] of admitted.entries()) {
      expect(digest).toMatch(/^[\w-]{22}$/);
      expect(keys[index]).toContain(digest);
    }
    expect(admitted[0]!.digest).not.toBe(admitted[1]!.digest);
  });

  it('is empty for peek, and nothing of it is in the decision', async () => {
    const { limiter } = scene();

    const decision = await limiter.consume({ user: 'ada' });
    const { digest } = tracksOf(decision)[0]!;

    expect(tracksOf(await limiter.peek({ user: 'ada' }))).toEqual([]);
    expect(tracksOf({ ...decision })).toEqual([]);
    expect(inspect(decision, { depth: Infinity, showHidden: true }) + JSON.stringify(decision)).not.toContain(digest);
  });
});
