import {
  byIp,
  createLimiter,
  memoryStore,
  type Decision,
  type Limiter,
  type LimiterOptions,
  type MaybePromise,
  type Tier,
} from '@sluice/http';
import { fairBy } from '@sluice/overload/fair';
import { balance, notices, usage } from '@sluice/quotas';

// `npm run lint` compiles this file. Each @ts-expect-error is an error that the types must report.

interface Request {
  readonly ip: string;
  readonly user?: { readonly id: string; readonly plan: 'free' | 'paid' };
}

const ip = ({ ip: address }: Request) => address;
const month = { algorithm: 'fixed-window', limit: 10, period: 'month' } as const;

describe('The subject of a limiter', () => {
  it('is the argument of each function of a tier', async () => {
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

  it('rejects unknown properties and functions of another subject', () => {
    const wrong: Tier<Request>[] = [
      // @ts-expect-error a request has no address
      { key: (request) => String(request.address), limit: 5, window: '1h' },
      // @ts-expect-error the function has another subject
      { key: (request: string) => request, limit: 5, window: '1h' },
    ];

    expect(wrong).toHaveLength(2);
  });

  it('is inferred from annotated functions', async () => {
    const limiter: Limiter<Request> = createLimiter({
      tiers: [{ name: 'ip', key: ip, limit: ({ user }: Request) => (user ? 100 : 10), window: '1m' }],
    });

    expect((await limiter.consume({ ip: '::1' })).allowed).toBe(true);
    // @ts-expect-error the subject has no ip
    await expect(limiter.consume({ user: { id: 'ada', plan: 'free' } })).rejects.toThrow('got undefined');
  });

  it('is inferred from the short form', async () => {
    const limiter = createLimiter({ key: ip, limit: 10, window: '1m' });

    const decision: MaybePromise<Decision> = limiter.consume({ ip: '::1' });

    expect((await decision).allowed).toBe(true);
  });

  it('is independent of onStoreFailure and share', () => {
    const options: LimiterOptions<Request>[] = [
      { key: ip, limit: 10, window: '1m', onStoreFailure: 'deny', share: 1 / 3 },
      { tiers: [{ key: ip, limit: 10, window: '1m', onStoreFailure: 'deny' }], onStoreFailure: 'allow', share: 0.5 },
      { tiers: () => [], onStoreFailure: 'local' },
    ];

    expect(options.map((each) => createLimiter(each))).toHaveLength(3);
  });

  it('is the argument of plans', async () => {
    const plans = { free: [{ name: 'free', key: ip, limit: 10, window: '1h' }] } satisfies Record<
      string,
      Tier<Request>[]
    >;

    const limiter = createLimiter<Request>({ tiers: async (request) => (request.user ? plans.free : plans.free) });

    expect((await limiter.consume({ ip: '::1' })).outcomes).toMatchObject([{ tier: 'free' }]);
  });
});

describe('The types of tiers', () => {
  it('accept the options of each algorithm', () => {
    const tiers: Tier<Request>[] = [
      { name: 'default', key: ip, limit: 10, window: '1m', precision: 10, strict: true },
      { name: 'fixed', key: ip, algorithm: 'fixed-window', limit: 10, window: 60_000, anchor: 'clock' },
      { name: 'log', key: ip, algorithm: 'sliding-window-log', limit: () => 10, window: '1m' },
      {
        name: 'bucket',
        key: ip,
        algorithm: 'token-bucket',
        limit: () => null,
        window: '1m',
        burst: 20,
        overdraft: 5,
        unit: 'tokens',
        aboveFull: 'all',
      },
      { name: 'gcra', key: ip, algorithm: 'gcra', limit: async () => null, window: '1.5h', cost: () => 2 },
      { name: 'queue', key: ip, algorithm: 'leaky-bucket', limit: 10, window: '1m', queue: 20, charge: 'all' },
      {
        name: 'several',
        key: ip,
        algorithm: 'multi-window',
        windows: [
          { limit: 10, window: '1s' },
          { limit: 100, window: '1m' },
        ],
      },
      { name: 'month', key: ip, ...month, notices: notices(0.75, 0.9), usage: usage() },
      { name: 'credits', key: ip, algorithm: balance({ covers: ['month'] }), usage: usage() },
      {
        name: 'workers',
        key: ip,
        algorithm: 'concurrency',
        limit: 5,
        fair: fairBy(({ user }) => user?.id ?? 'nobody'),
      },
    ];

    expect(() => createLimiter({ tiers })).not.toThrow();
  });

  it('give the subject to the functions of fairBy', () => {
    const running = { key: ip, limit: 5 };
    const algorithm = 'concurrency';
    const tiers: Tier<Request>[] = [
      {
        ...running,
        name: 'a',
        algorithm,
        fair: fairBy((request) => request.ip, { weight: async ({ user }) => (user ? 2 : 1) }),
      },
      // @ts-expect-error a request has no address
      { ...running, name: 'b', algorithm, fair: fairBy((request) => String(request.address)) },
      // @ts-expect-error a weight is a number
      { ...running, name: 'c', algorithm, fair: fairBy((request) => request.ip, { weight: () => '2' }) },
      // @ts-expect-error the function has another subject
      { ...running, name: 'd', algorithm, fair: fairBy((request: string) => request) },
    ];

    expect(() => createLimiter({ tiers })).not.toThrow();
  });

  it.each<[string, LimiterOptions<Request>]>([
    // @ts-expect-error notices are a value
    ['OPTION_INVALID', { key: ip, ...month, notices: [0.9] }],
    // @ts-expect-error a sliding window gives no notices
    ['OPTION_UNKNOWN', { key: ip, limit: 10, window: '1m', notices: notices(0.9) }],
    // @ts-expect-error usage is a value
    ['OPTION_INVALID', { key: ip, ...month, usage: true }],
    // @ts-expect-error they are other values
    ['OPTION_INVALID', { key: ip, ...month, usage: notices(0.9), notices: usage() }],
    // @ts-expect-error a balance is a value
    ['OPTION_INVALID', { key: ip, algorithm: 'balance' }],
    // @ts-expect-error a balance has no limit
    ['OPTION_UNKNOWN', { key: ip, algorithm: balance(), limit: 10 }],
    // @ts-expect-error fair is a value
    ['OPTION_INVALID', { key: ip, algorithm: 'concurrency', limit: 5, fair: { by: ip } }],
    // @ts-expect-error a fixed window has no burst
    ['OPTION_UNKNOWN', { key: ip, algorithm: 'fixed-window', limit: 10, window: '1m', burst: 20 }],
    // @ts-expect-error a token bucket has no queue
    ['OPTION_UNKNOWN', { key: ip, algorithm: 'token-bucket', limit: 10, window: '1m', queue: 20 }],
    // @ts-expect-error a leaky bucket has no overdraft
    ['OPTION_UNKNOWN', { key: ip, algorithm: 'leaky-bucket', limit: 10, window: '1m', queue: 5, overdraft: 20 }],
    // @ts-expect-error a leaky bucket has a queue
    ['QUEUE_INVALID', { key: ip, algorithm: 'leaky-bucket', limit: 10, window: '1m' }],
    // @ts-expect-error the log has no precision
    ['OPTION_UNKNOWN', { key: ip, algorithm: 'sliding-window-log', limit: 10, window: '1m', precision: 5 }],
    // @ts-expect-error the default is a sliding window, which has no burst
    ['OPTION_UNKNOWN', { key: ip, limit: 10, window: '1m', burst: 20 }],
    // @ts-expect-error multi-window has no limit of its own
    ['OPTION_UNKNOWN', { key: ip, algorithm: 'multi-window', limit: 10, windows: [] }],
    // @ts-expect-error it is called limit
    ['OPTION_UNKNOWN', { key: ip, limt: 10, window: '1m' }],
    // @ts-expect-error it is called window
    ['OPTION_UNKNOWN', { tiers: [{ key: ip, limit: 10, widnow: '1m' }] }],
    // @ts-expect-error a sliding window has no queue
    ['OPTION_UNKNOWN', { tiers: [{ key: ip, algorithm: 'sliding-window', limit: 10, window: '1m', queue: 20 }] }],
    // @ts-expect-error tiers and a limit
    ['OPTION_INVALID', { tiers: [{ key: ip, limit: 10, window: '1m' }], limit: 10 }],
    // @ts-expect-error one tier in short form and tiers
    ['OPTION_INVALID', { key: ip, limit: 10, window: '1m', tiers: [{ key: ip, limit: 10, window: '1m' }] }],
    // @ts-expect-error there is no such algorithm
    ['OPTION_INVALID', { key: ip, algorithm: 'leaky', limit: 10, window: '1m' }],
    // @ts-expect-error there is no such mode
    ['OPTION_INVALID', { key: ip, limit: 10, window: '1m', mode: 'dry' }],
    // @ts-expect-error there is no such failure mode
    ['OPTION_INVALID', { key: ip, limit: 10, window: '1m', onStoreFailure: 'open' }],
    // @ts-expect-error a share is a number
    ['OPTION_INVALID', { key: ip, limit: 10, window: '1m', share: '1/3' }],
    // @ts-expect-error a window is no flag
    ['WINDOW_INVALID', { key: ip, limit: 10, window: true }],
    // @ts-expect-error the window is missing
    ['WINDOW_INVALID', { key: ip, limit: 10 }],
    // @ts-expect-error a limit is a number
    ['LIMIT_INVALID', { key: ip, limit: '10', window: '1m' }],
    // @ts-expect-error the limit is missing
    ['LIMIT_INVALID', { key: ip, window: '1m' }],
    // @ts-expect-error a limit is never undefined
    ['LIMIT_INVALID', { key: ip, limit: undefined, window: '1m' }],
    // @ts-expect-error the key is missing
    ['KEY_INVALID', { limit: 10, window: '1m' }],
    // @ts-expect-error a key is a function
    ['KEY_INVALID', { key: 'ip', limit: 10, window: '1m' }],
    // @ts-expect-error a cost is a number
    ['COST_INVALID', { key: ip, limit: 10, window: '1m', cost: '1' }],
    // @ts-expect-error this is not a store
    ['OPTION_INVALID', { store: {}, key: ip, limit: 10, window: '1m' }],
  ])('have an error of the types and %s at run time for %j', (code, options) => {
    expect(() => createLimiter(options)).toThrow(expect.objectContaining({ name: 'ConfigError', code }));
  });

  it('accept any text as a window, which may come from a variable', () => {
    const options = { key: ip, limit: 10, window: '1m' };
    const fromEnvironment: LimiterOptions<Request> = { ...options, window: process.env['NO_SUCH_WINDOW'] ?? '1m' };

    expect([createLimiter(options), createLimiter(fromEnvironment)]).toHaveLength(2);
    expect(() => createLimiter({ ...options, window: '1 minute' })).toThrow("write '1m'");
  });

  it('reject functions with the wrong result', () => {
    const wrong: Tier<Request>[] = [
      // @ts-expect-error a limit is a number
      { key: ip, limit: () => '10', window: '1m' },
      // @ts-expect-error a limit is never undefined
      { key: ip, limit: ({ user }) => (user ? 100 : undefined), window: '1m' },
      // @ts-expect-error a cost is never null
      { key: ip, limit: 10, window: '1m', cost: () => null },
      // @ts-expect-error a key is never undefined
      { key: ({ user }) => user?.id, limit: 10, window: '1m' },
      // @ts-expect-error a key is not a flag
      { key: () => true, limit: 10, window: '1m' },
      // @ts-expect-error byIp must be called
      { key: byIp, limit: 10, window: '1m' },
      // @ts-expect-error parts need a kind
      { key: () => ['a', 'b'], limit: 10, window: '1m' },
    ];

    expect(wrong).toHaveLength(7);
  });
});

describe('The type of a decision', () => {
  it('is read-only', async () => {
    const limiter = createLimiter({ store: memoryStore(), name: 'minute', key: ip, limit: 10, window: '1m' });
    const decision = await limiter.consume({ ip: '::1' }, { cost: 2 });

    const copy: { allowed: boolean } = { ...decision };
    const left: number | undefined = decision.binding?.remaining;
    const write = (given: Decision) => {
      // @ts-expect-error it is read-only
      given.allowed = false;
    };

    expect([copy.allowed, left, write.length]).toEqual([true, 8, 1]);
  });
});
