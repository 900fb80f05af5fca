import type { IncomingMessage } from 'node:http';
import {
  by,
  byApiKey,
  byHeader,
  byIp,
  byJwtSubject,
  bySession,
  compose,
  createLimiter,
  memoryStore,
  rateLimit,
  type HttpRequest,
  type Limiter,
  type RateLimitOptions,
  type Tier,
} from '@sluice/express';
import type { Request, RequestHandler } from 'express';

// The compiler reads this file in `npm run lint`.

const minute = { limit: 10, window: '1m' } as const;

describe('An identity', () => {
  it('takes the request of the framework it is written in', () => {
    const tiers: RateLimitOptions['tiers'] = [
      { ...minute, name: 'account', key: by('account', (request) => (request.body as { user?: unknown }).user) },
      { ...minute, name: 'verified', key: byApiKey({ from: (request) => request.params['account'] }) },
      { ...minute, name: 'tenant', key: byHeader('x-tenant', { otherwise: (request) => request.hostname }) },
      { ...minute, name: 'token', key: byJwtSubject({ from: async (request) => request.get('x-claims') }) },
      { ...minute, name: 'session', key: bySession({ otherwise: byApiKey({ otherwise: byIp({ ipv6Subnet: 56 }) }) }) },
      { ...minute, name: 'edge', key: byIp({ from: (request) => request.get('cf-connecting-ip') }) },
      {
        ...minute,
        name: 'pair',
        key: compose(
          byIp(),
          by('path', (request) => request.path),
        ),
      },
    ];

    expect(() => rateLimit({ tiers })).not.toThrow();
  });

  it('takes any subject that has something for it to read', async () => {
    const limiter = createLimiter<{ ip: string }>({ ...minute, key: byIp() });
    const accounts = createLimiter<{ ip: string; account: string }>({
      ...minute,
      key: compose(
        byIp(),
        by('account', ({ account }) => account),
      ),
    });

    expect((await limiter.consume({ ip: '::1' })).allowed).toBe(true);
    expect((await accounts.consume({ ip: '::1', account: 'ada' })).allowed).toBe(true);
  });

  it('takes no subject that has nothing for it to read, or has something else there', () => {
    const refused = [
      // @ts-expect-error no address in it
      () => createLimiter<{ tenant: string }>({ ...minute, key: byIp() }),
      // @ts-expect-error no headers in it
      () => createLimiter<{ tenant: string }>({ ...minute, key: byApiKey() }),
      // @ts-expect-error an address is text
      () => createLimiter<{ ip: number }>({ ...minute, key: byIp() }),
      // @ts-expect-error a job has no address
      () => createLimiter<string>({ ...minute, key: byIp() }),
    ];

    expect(refused).toHaveLength(4);
  });

  it('has to be there in core, which knows of no address', () => {
    // @ts-expect-error no key
    const refused = () => createLimiter<Request>(minute);

    expect(refused).toThrow(expect.objectContaining({ code: 'KEY_INVALID' }));
  });

  it('is wrong with options that it does not have', () => {
    const refused = [
      // @ts-expect-error misspelt
      () => byIp({ ipv6subnet: 64 }),
      // @ts-expect-error bits are a number
      () => byIp({ ipv6Subnet: '64' }),
      // @ts-expect-error the name of a header is text
      () => byHeader(5),
      // @ts-expect-error no function
      () => by('account', 'user'),
      // @ts-expect-error what is missing has to be something else
      () => byApiKey({ otherwise: () => undefined }),
      // @ts-expect-error two make a pair
      () => compose(byIp(), 'account'),
    ];

    expect(refused).toHaveLength(6);
  });
});

describe('Tiers that are written once', () => {
  const tiers: readonly Tier<HttpRequest>[] = [
    { ...minute, name: 'key', key: byApiKey({ otherwise: byIp() }) },
    { ...minute, name: 'ip', limit: ({ headers }) => (headers?.['x-internal'] ? null : 5), key: byIp() },
  ];

  it('serve Express, a plain server and an operator with one limiter', async () => {
    const limiter: Limiter<HttpRequest> = createLimiter({ tiers });
    const handlers: RequestHandler[] = [rateLimit(limiter), rateLimit({ limiter, headers: [] })];
    const upgrade = (message: IncomingMessage) => limiter.consume(message, { cost: 2 });

    await limiter.reset({ ip: '192.0.2.1' });

    expect([handlers.length, upgrade.length]).toEqual([2, 1]);
  });

  it('serve Express with a limiter of its own', () => {
    expect(() => rateLimit({ tiers, store: memoryStore() })).not.toThrow();
  });
});
