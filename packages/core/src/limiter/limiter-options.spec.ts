import { ConfigError, type ErrorCode } from '../model/errors.js';
import { configError } from '../../../../test/support/config-error.js';
import { memoryStore } from '../stores/memory/memory-store.js';
import { createLimiter, createLimiterIn } from './limiter.js';
import type { LimiterOptions } from './limiter-options.js';

const tier = { key: () => 'ada', limit: 5, window: '1m' } as const;
const tiers = [{ ...tier, name: 'minute' }];

const MISTAKES: [code: ErrorCode, option: string, options: unknown, rule: string][] = [
  ['OPTION_INVALID', 'options', undefined, 'options must be an object, got undefined'],
  ['OPTION_INVALID', 'options', null, 'options must be an object, got null'],
  ['OPTION_INVALID', 'store', { tiers, store: null }, 'store must be a store, such as memoryStore()'],
  ['OPTION_INVALID', 'store', { tiers, store: {} }, 'or redisStore(client), got an object'],
  ['OPTION_INVALID', 'partition', { tiers, partition: 'tenant' }, 'must be a function of the subject, got text'],
  ['OPTION_INVALID', 'plans', { tiers, plans: [tiers] }, 'belongs beside a function as tiers'],
  [
    'OPTION_INVALID',
    'plans',
    { tiers: () => tiers, plans: { tiers } },
    'must be an array of all arrays that tiers returns',
  ],
  ['OPTION_INVALID', 'prefix', { tiers, prefix: '' }, 'must be 1 to 32 printable ASCII characters'],
  ['OPTION_INVALID', 'prefix', { tiers, prefix: 'x'.repeat(33) }, 'must be 1 to 32 printable ASCII characters'],
  ['OPTION_INVALID', 'prefix', { tiers, prefix: 'a{b}' }, 'without braces and spaces, got "a{b}"'],
  ['OPTION_INVALID', 'prefix', { tiers, prefix: 'a b' }, 'without braces and spaces, got "a b"'],
  ['OPTION_INVALID', 'secret', { tiers, secret: '' }, 'must be a non-empty text'],
  ['OPTION_INVALID', 'onStoreFailure', { tiers, onStoreFailure: 'open' }, '"deny" (did you mean "allow"?), got'],
  ['OPTION_INVALID', 'onStoreFailure', { tiers, onStoreFailure: 'alow' }, 'did you mean "allow"?'],
  ['OPTION_INVALID', 'onStoreFailure', { tiers: [{ ...tier, name: 'a', onStoreFailure: 503 }] }, 'got 503'],
  ['OPTION_INVALID', 'share', { tiers, share: 0 }, 'must be a number above 0 and at most 1, such as 1 / 3, got 0'],
  ['OPTION_INVALID', 'share', { tiers, share: 1.001 }, 'at most 1, such as 1 / 3, got 1.001'],
  ['OPTION_INVALID', 'share', { tiers, share: '1/3' }, 'got "1/3"'],
  ['OPTION_UNKNOWN', 'sotre', { tiers, sotre: 5 }, 'did you mean store?'],
  ['OPTION_INVALID', 'limit', { tiers, limit: 5 }, 'limit belongs to a tier: write it inside tiers, or leave tiers'],
  ['OPTION_UNKNOWN', 'sotre', { ...tier, sotre: 5 }, 'did you mean store?'],
  ['OPTION_UNKNOWN', 'teirs', { teirs: tiers }, 'did you mean tiers?'],
  ['LIMIT_INVALID', 'limit', { ...tier, limit: 0 }, 'tier "default" (sliding-window): limit must be at least'],
  ['OPTION_UNKNOWN', 'keyGenerator', { ...tier, keyGenerator: 5 }, 'limiter: keyGenerator is called key here'],
  ['OPTION_UNKNOWN', 'handler', { ...tier, handler: 5 }, 'limiter: handler is not an option here'],
  ['TIERS_INVALID', 'tiers', { tiers: undefined }, 'must be an array of 1 to 32 tiers, got undefined'],
  ['TIERS_INVALID', 'tiers', { tiers: [] }, 'must be an array of 1 to 32 tiers, got an array of 0'],
  ['TIERS_INVALID', 'tiers', { tiers: numbered(33) }, 'must be an array of 1 to 32 tiers, got an array of 33'],
  ['TIERS_INVALID', 'tiers', { tiers: [null] }, 'tiers must hold objects, got null'],
  ['QUEUE_INVALID', 'queue', { tiers: [queue('one'), queue('two')] }, 'must stand in one tier at most'],
];

describe('createLimiter', () => {
  it.each(MISTAKES)('rejects with %s of %s: %#', (code, option, options, rule) => {
    const make = () => createLimiter(options as LimiterOptions<unknown>);

    expect(make).toThrow(configError(code, option, rule));
  });

  it('does not quote an invalid secret', () => {
    const make = () => createLimiter({ tiers, secret: ['hunter2'] as unknown as string });

    const message = 'limiter: secret must be a non-empty text';
    expect(make).toThrow(expect.objectContaining({ message, value: undefined }));
  });

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
  const alsoAllowed = ['skip', 'cost'];

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

function queue(name: string) {
  return { ...tier, name, algorithm: 'leaky-bucket', queue: 5 };
}
