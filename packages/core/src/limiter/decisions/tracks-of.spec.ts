import { inspect } from 'node:util';
import { subscribe } from '../../events/events.js';
import type { Claim } from '../../model/claim.js';
import { createLimiter } from '../limiter.js';
import { memoryStore } from '../../stores/memory/memory-store.js';
import { sharedLayers } from '../../stores/between-processes/shared-layers.js';
import type { AbleStore } from '../../stores/store.js';
import { tracksOf } from './tracks-of.js';

/** A store that lists the claims that it gets. */
function listing(claims: Claim[]): AbleStore {
  const memory = memoryStore();
  return {
    layers: sharedLayers,
    consume(group) {
      claims.push(...group);
      return memory.consume(group);
    },
    peek: (group) => memory.peek(group),
    refund: (receipts) => memory.refund(receipts),
    reset: (reset) => memory.reset(reset),
    recorded: (key) => memory.recorded(key),
    close: () => memory.close(),
  };
}

/** A limiter, and the claims that its store has seen. */
function scene(partition?: (subject: { user: string }) => string) {
  const claims: Claim[] = [];
  const limiter = createLimiter<{ user: string }>({
    store: listing(claims),
    ...(partition && { partition }),
    tiers: [
      { name: 'a:hour', key: ({ user }) => user, limit: 5, window: '1h' },
      { name: 'minute', key: () => 'all', limit: 2, window: '1m', charge: 'all', cost: 2 },
    ],
  });
  return { limiter, claims };
}

describe('tracksOf', () => {
  it.each([
    ['without a partition', undefined],
    ['with a partition', () => 'team'],
  ])('has the digest of each key, its cost and what was charged, %s', async (_how, partition) => {
    const { limiter, claims } = scene(partition);

    const admitted = tracksOf(await limiter.consume({ user: 'ada' }));
    const denied = tracksOf(await limiter.consume({ user: 'ada' }));

    expect(admitted).toMatchObject([
      { tier: 'a:hour', cost: 1, charged: 1 },
      { tier: 'minute', cost: 2, charged: 2 },
    ]);
    expect(denied.map(({ charged }) => charged)).toEqual([0, 0]);
    for (const [index, { digest }] of admitted.entries()) {
      expect(digest).toMatch(/^[\w-]{22}$/);
      expect(claims[index]!.key).toContain(digest);
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

  it('has the first 64 bytes of each label, which nothing else shows', async () => {
    const heard: unknown[] = [];
    const end = subscribe('sluice:decision', (event) => heard.push(event));
    const claims: Claim[] = [];
    const tier = { key: ({ user }: { user: string }) => user, limit: 5 };
    const limiter = createLimiter<{ user: string }>({
      store: listing(claims),
      tiers: [
        { ...tier, name: 'hour', window: '1h', label: ({ user }) => `customer ${user} €`.padEnd(66, '€') },
        { ...tier, name: 'minute', window: '1m', label: async () => undefined },
      ],
    });

    const decision = await limiter.consume({ user: 'ada' });
    end();

    const [hour, minute] = tracksOf(decision);
    expect(hour!.label).toBe(`customer ada ${'€'.repeat(17)}`);
    expect(minute).not.toHaveProperty('label');
    const shown = inspect([heard, claims, decision], { depth: Infinity, showHidden: true });
    expect(shown + JSON.stringify([heard, claims, decision])).not.toContain('customer');
  });
});
