import {
  createLimiter,
  memoryStore,
  type Decision,
  type Limiter,
  type LimiterOptions,
  type MaybePromise,
  type Tier,
} from '@sluice/core';

// The compiler reads this file in `npm run lint`: where it refuses what it is told to refuse, the limiter does too.

interface Request {
  readonly ip: string;
  readonly user?: { readonly id: string; readonly plan: 'free' | 'paid' };
}

const ip = ({ ip: address }: Request) => address;

describe('the subject', () => {
  it('flows from the limiter into every function of a tier', async () => {
    const limiter = createLimiter<Request>({
      partition: (request) => request.user?.id ?? request.ip,
      tiers: [
        {
          name: 'hour',
          key: (request) => ({ kind: 'ip', parts: [request.ip] }),
          limit: (request) => (request.user?.plan === 'paid' ? 100 : 10),
          cost: async (request) => request.ip.length,
          record: (request) => request.user?.id,
          window: '1h',
        },
      ],
    });

    const decision = await limiter.consume({ ip: '::1' });

    expect(decision.outcomes).toMatchObject([{ limit: 10, remaining: 7 }]);
  });

  it('is not read for what it does not have, and no function takes another one', () => {
    const wrong: Tier<Request>[] = [
      // @ts-expect-error a request has no address
      { key: (request) => String(request.address), limit: 5, window: '1h' },
      // @ts-expect-error a function of another subject
      { key: (request: string) => request, limit: 5, window: '1h' },
    ];

    expect(wrong).toHaveLength(2);
  });

  it('is inferred from functions that say what they take', async () => {
    const limiter: Limiter<Request> = createLimiter({
      tiers: [{ name: 'ip', key: ip, limit: ({ user }: Request) => (user ? 100 : 10), window: '1m' }],
    });

    expect((await limiter.consume({ ip: '::1' })).allowed).toBe(true);
    // @ts-expect-error a subject without an ip
    await expect(limiter.consume({ user: { id: 'ada', plan: 'free' } })).rejects.toThrow('got undefined');
  });

  it('is inferred from the short form too', async () => {
    const limiter = createLimiter({ key: ip, limit: 10, window: '1m' });

    const decision: MaybePromise<Decision> = limiter.consume({ ip: '::1' });

    expect((await decision).allowed).toBe(true);
  });

  it('has nothing to do with what becomes of a limiter without its store', () => {
    const options: LimiterOptions<Request>[] = [
      { key: ip, limit: 10, window: '1m', onStoreFailure: 'deny', share: 1 / 3 },
      { tiers: [{ key: ip, limit: 10, window: '1m', onStoreFailure: 'deny' }], onStoreFailure: 'allow', share: 0.5 },
      { tiers: () => [], onStoreFailure: 'local' },
    ];

    expect(options.map((each) => createLimiter(each))).toHaveLength(3);
  });

  it('is what plans are given', async () => {
    const plans = { free: [{ name: 'free', key: ip, limit: 10, window: '1h' }] } satisfies Record<
      string,
      Tier<Request>[]
    >;

    const limiter = createLimiter<Request>({ tiers: async (request) => (request.user ? plans.free : plans.free) });

    expect((await limiter.consume({ ip: '::1' })).outcomes).toMatchObject([{ tier: 'free' }]);
  });
});

describe('the options of an algorithm', () => {
  it('are those of the algorithm that is named', () => {
    const tiers: Tier<Request>[] = [
      { name: 'default', key: ip, limit: 10, window: '1m', precision: 10, strict: true },
      { name: 'fixed', key: ip, algorithm: 'fixed-window', limit: 10, window: 60_000, anchor: 'clock' },
      { name: 'log', key: ip, algorithm: 'sliding-window-log', limit: () => 10, window: '1m' },
      { name: 'bucket', key: ip, algorithm: 'token-bucket', limit: () => null, window: '1m', burst: 20 },
      { name: 'gcra', key: ip, algorithm: 'gcra', limit: async () => null, window: '1.5h', cost: () => 2 },
      { name: 'meter', key: ip, algorithm: 'leaky-bucket', limit: 10, window: '1m', burst: 20, mode: 'shadow' },
      { name: 'queue', key: ip, algorithm: 'leaky-bucket', limit: 10, window: '1m', queue: 20, countDenied: true },
      {
        name: 'several',
        key: ip,
        algorithm: 'multi-window',
        windows: [
          { limit: 10, window: '1s' },
          { limit: 100, window: '1m' },
        ],
      },
    ];

    expect(() => createLimiter({ tiers })).not.toThrow();
  });

  it.each<[string, LimiterOptions<Request>]>([
    // @ts-expect-error a fixed window has no burst
    ['OPTION_UNKNOWN', { key: ip, algorithm: 'fixed-window', limit: 10, window: '1m', burst: 20 }],
    // @ts-expect-error a token bucket has no queue
    ['OPTION_UNKNOWN', { key: ip, algorithm: 'token-bucket', limit: 10, window: '1m', queue: 20 }],
    // @ts-expect-error the log has no precision
    ['OPTION_UNKNOWN', { key: ip, algorithm: 'sliding-window-log', limit: 10, window: '1m', precision: 5 }],
    // @ts-expect-error the default is a sliding window, which has no burst
    ['OPTION_UNKNOWN', { key: ip, limit: 10, window: '1m', burst: 20 }],
    // @ts-expect-error several windows have no limit of their own
    ['OPTION_UNKNOWN', { key: ip, algorithm: 'multi-window', limit: 10, windows: [] }],
    // @ts-expect-error misspelt
    ['OPTION_UNKNOWN', { key: ip, limt: 10, window: '1m' }],
    // @ts-expect-error misspelt
    ['OPTION_UNKNOWN', { tiers: [{ key: ip, limit: 10, widnow: '1m' }] }],
    // @ts-expect-error a sliding window has no queue, named or not
    ['OPTION_UNKNOWN', { tiers: [{ key: ip, algorithm: 'sliding-window', limit: 10, window: '1m', queue: 20 }] }],
    // @ts-expect-error one tier in short beside tiers
    ['OPTION_INVALID', { tiers: [{ key: ip, limit: 10, window: '1m' }], limit: 10 }],
    // @ts-expect-error tiers beside one tier in short
    ['OPTION_INVALID', { key: ip, limit: 10, window: '1m', tiers: [{ key: ip, limit: 10, window: '1m' }] }],
    // @ts-expect-error no such algorithm
    ['OPTION_INVALID', { key: ip, algorithm: 'leaky', limit: 10, window: '1m' }],
    // @ts-expect-error no such mode
    ['OPTION_INVALID', { key: ip, limit: 10, window: '1m', mode: 'dry' }],
    // @ts-expect-error nothing else can become of it
    ['OPTION_INVALID', { key: ip, limit: 10, window: '1m', onStoreFailure: 'open' }],
    // @ts-expect-error a share is a number
    ['OPTION_INVALID', { key: ip, limit: 10, window: '1m', share: '1/3' }],
    // @ts-expect-error a unit that does not exist
    ['WINDOW_INVALID', { key: ip, limit: 10, window: '1 minute' }],
    // @ts-expect-error a text without a number
    ['WINDOW_INVALID', { key: ip, limit: 10, window: 'minute' }],
    // @ts-expect-error no window
    ['WINDOW_INVALID', { key: ip, limit: 10 }],
    // @ts-expect-error text is no limit
    ['LIMIT_INVALID', { key: ip, limit: '10', window: '1m' }],
    // @ts-expect-error no limit
    ['LIMIT_INVALID', { key: ip, window: '1m' }],
    // @ts-expect-error a limit that may not be there
    ['LIMIT_INVALID', { key: ip, limit: undefined, window: '1m' }],
    // @ts-expect-error no key
    ['KEY_INVALID', { limit: 10, window: '1m' }],
    // @ts-expect-error a key that is no function
    ['KEY_INVALID', { key: 'ip', limit: 10, window: '1m' }],
    // @ts-expect-error text is no cost
    ['COST_INVALID', { key: ip, limit: 10, window: '1m', cost: '1' }],
    // @ts-expect-error a store that is none
    ['OPTION_INVALID', { store: {}, key: ip, limit: 10, window: '1m' }],
  ])('are refused by the compiler, and with %s by the limiter: %j', (code, options) => {
    expect(() => createLimiter(options)).toThrow(expect.objectContaining({ name: 'ConfigError', code }));
  });

  it('cannot be functions that return what is no limit, cost or key', () => {
    const wrong: Tier<Request>[] = [
      // @ts-expect-error text is no limit
      { key: ip, limit: () => '10', window: '1m' },
      // @ts-expect-error a limit is told, and never left out
      { key: ip, limit: ({ user }) => (user ? 100 : undefined), window: '1m' },
      // @ts-expect-error null is no cost
      { key: ip, limit: 10, window: '1m', cost: () => null },
      // @ts-expect-error a missing identity is never "no limit"
      { key: ({ user }) => user?.id, limit: 10, window: '1m' },
      // @ts-expect-error a number is no key
      { key: () => 5, limit: 10, window: '1m' },
      // @ts-expect-error a list of parts has a kind beside it
      { key: () => ['a', 'b'], limit: 10, window: '1m' },
    ];

    expect(wrong).toHaveLength(6);
  });
});

describe('a decision', () => {
  it('is read and not written', async () => {
    const limiter = createLimiter({ store: memoryStore(), name: 'minute', key: ip, limit: 10, window: '1m' });
    const decision = await limiter.consume({ ip: '::1' }, { cost: 2 });

    const copy: { allowed: boolean } = { ...decision };
    const left: number | undefined = decision.binding?.remaining;
    const write = (given: Decision) => {
      // @ts-expect-error read only
      given.allowed = false;
    };

    expect([copy.allowed, left, write.length]).toEqual([true, 8, 1]);
  });
});
