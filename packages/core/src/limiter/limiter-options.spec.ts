import { ConfigError } from '../model/errors.js';
import { memoryStore } from '../stores/memory/memory-store.js';
import { createLimiter, createLimiterIn } from './limiter.js';
import type { LimiterOptions } from './limiter-options.js';

const tier = { key: () => 'ada', limit: 5, window: '1m' } as const;
const tiers = [{ ...tier, name: 'minute' }];

describe('createLimiter', () => {
  it('accepts 32 tiers', () => {
    expect(() => createLimiter({ tiers: numbered(32) })).not.toThrow();
  });

  it('accepts the options of one tier beside its own', async () => {
    const store = memoryStore();
    const limiter = createLimiter({ ...tier, name: 'minute', store, prefix: 'app', secret: 'pepper' });

    const decision = await limiter.consume({});

    expect(decision.outcomes).toMatchObject([{ tier: 'minute', limit: 5, remaining: 4 }]);
    expect(store.size).toBe(1);
  });

  it('creates a memory store by default', async () => {
    const [one, other] = [createLimiter(tier), createLimiter(tier)];

    await one.consume({});

    expect((await one.peek({})).outcomes[0]!.remaining).toBe(4);
    expect((await other.peek({})).outcomes[0]!.remaining).toBe(5);
    expect((await one.peek({})).source).toBe('memory');
  });

  it('closes the store that it has created, and no other', async () => {
    const own = createLimiter(tier);
    const other = createLimiter({ ...tier, name: 'minute', store: memoryStore() });

    await Promise.all([own.close(), other.close()]);

    await expect(own.consume({})).rejects.toMatchObject({ name: 'StoreError', code: 'STORE_CLOSED' });
    expect((await other.consume({})).allowed).toBe(true);
  });
});

describe('createLimiterIn', () => {
  const alsoAllowed = { skip: {}, cost: {} };

  it('ignores options that are also allowed', async () => {
    const others = { skip: 5, cost: 2 };

    const limiters = [
      { ...tier, ...others },
      { tiers, ...others },
    ].map((options) => createLimiterIn({ owner: 'limiter', alsoAllowed }, options as LimiterOptions<unknown>));

    for (const limiter of limiters) expect((await limiter.consume({})).outcomes[0]!.remaining).toBe(4);
  });

  it.each<[object, string]>([
    [{ ...tier, skpi: 5 }, 'did you mean skip?'],
    [{ tiers, onDenied: 5 }, 'onDenied is not an option here'],
    [{ tiers, skip: 5, limit: 5 }, 'limit belongs to a tier'],
  ])('rejects all other options: %#', (options, rule) => {
    const make = () => createLimiterIn({ owner: 'limiter', alsoAllowed }, options as LimiterOptions<unknown>);

    expect(make).toThrow(ConfigError);
    expect(make).toThrow(rule);
  });

  const keyless = [{ name: 'minute', limit: 5, window: '1m' }];

  it.each([
    ['a list', keyless],
    ['plans', () => keyless],
  ])('gives tiers of %s the default key', async (_kind, given) => {
    const key = ({ user }: { user: string }) => user;
    const limiter = createLimiterIn({ owner: 'limiter', key }, { tiers: given } as unknown as LimiterOptions<{
      user: string;
    }>);

    await limiter.consume({ user: 'ada' });

    expect((await limiter.peek({ user: 'ada' })).outcomes[0]!.remaining).toBe(4);
    expect((await limiter.peek({ user: 'bob' })).outcomes[0]!.remaining).toBe(5);
  });

  it('rejects a cost of all requests that a tier can never hold', () => {
    const make = () => createLimiterIn({ owner: 'limiter', cost: 6 }, { tiers });

    expect(make).toThrow('limiter: cost must be at most 5, the capacity of tier "minute"');
  });
});

function numbered(count: number) {
  return Array.from({ length: count }, (_, index) => ({ ...tiers[0]!, name: `tier ${index}` }));
}
