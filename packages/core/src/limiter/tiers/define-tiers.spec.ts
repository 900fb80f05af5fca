import { balance } from '../../../../quotas/src/index.js';
import { byIp, createLimiter, type Store, type Tier } from '../../../../http/src/index.js';
import { memoryStore } from '../../stores/memory/memory-store.js';
import type { StoreAbilities } from '../../stores/store.js';

const minute = { name: 'minute', key: byIp(), limit: 5, window: '1m' } as const;
const hour = { name: 'hour', key: byIp(), limit: 5, window: '1h' } as const;
const credits = { name: 'credits', key: byIp(), algorithm: balance() } as const;
const jobs = { name: 'jobs', key: byIp(), algorithm: 'concurrency', limit: 5, hold: '10s' } as const;
const bucket = { ...hour, algorithm: 'token-bucket', burst: 10 } as const;

/** A store that lacks a method. */
function storeWithout(method: keyof StoreAbilities): Store {
  return Object.defineProperty(memoryStore(), method, { value: undefined });
}

const ofTier = (tier: string) => expect.objectContaining({ name: 'ConfigError', tier }) as Error;

describe('ConfigError of a limiter', () => {
  it.each<[string, string, readonly object[]]>([
    ['a wrong option of its algorithm', 'hour', [minute, { ...hour, window: 5e-3 }]],
    ['an unknown option', 'hour', [minute, { ...hour, windw: '1h' }]],
    ['a name that stands twice', 'minute', [hour, minute, minute]],
    [
      'costs that covered tiers do not share',
      'credits',
      [minute, { ...hour, cost: 2 }, { ...credits, covers: ['minute', 'hour'] }],
    ],
    ['a covered tier that is not there', 'credits', [minute, { ...credits, covers: ['day'] }]],
  ])('names the tier that has %s', (_what, tier, tiers) => {
    expect(() => createLimiter({ tiers: tiers as never as Tier<never>[] })).toThrow(ofTier(tier));
  });

  it('names the tier whose algorithm the store does not have', () => {
    expect(() => createLimiter({ store: storeWithout('renew'), tiers: [minute, jobs] })).toThrow(ofTier('jobs'));
  });

  it('names the tier whose texts the store does not show', () => {
    const recording = { ...hour, record: () => 'a text' };

    expect(() => createLimiter({ store: storeWithout('recorded'), tiers: [minute, recording] })).toThrow(
      ofTier('hour'),
    );
  });

  it('names the tier whose replacement does not fit', () => {
    const limiter = createLimiter({ tiers: [minute, bucket] });

    expect(() => limiter.prepare([minute, { ...bucket, limit: 6 }])).toThrow(ofTier('hour'));
    expect(() => limiter.prepare([minute, jobs])).toThrow(ofTier('jobs'));
  });

  it('names no tier where there is none', () => {
    expect(() => createLimiter({ tiers: [] })).toThrow(
      expect.not.objectContaining({ tier: expect.anything() }) as Error,
    );
  });
});
