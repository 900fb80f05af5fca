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

// `npm run lint` compiles this file. Each @ts-expect-error is an error that the types must report.

const minute = { limit: 10, window: '1m' } as const;

describe('The types of identities', () => {
  it('infer the request of the framework', () => {
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

  it('accept any subject with the properties that they read', async () => {
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

  it('reject a subject without these properties, or with others', () => {
    const wrong = [
      // @ts-expect-error it has no address
      () => createLimiter<{ tenant: string }>({ ...minute, key: byIp() }),
      // @ts-expect-error it has no headers
      () => createLimiter<{ tenant: string }>({ ...minute, key: byApiKey() }),
      // @ts-expect-error an address is text
      () => createLimiter<{ ip: number }>({ ...minute, key: byIp() }),
      // @ts-expect-error a job has no address
      () => createLimiter<string>({ ...minute, key: byIp() }),
    ];

    expect(wrong).toHaveLength(4);
  });

  it('require a key in core', () => {
    // @ts-expect-error the key is missing
    const wrong = () => createLimiter<Request>(minute);

    expect(wrong).toThrow(expect.objectContaining({ code: 'KEY_INVALID' }));
  });

  it('reject other options', () => {
    const wrong = [
      // @ts-expect-error it is called ipv6Subnet
      () => byIp({ ipv6subnet: 64 }),
      // @ts-expect-error a subnet is a number
      () => byIp({ ipv6Subnet: '64' }),
      // @ts-expect-error the name of a header is text
      () => byHeader(5),
      // @ts-expect-error the second argument is a function
      () => by('account', 'user'),
      // @ts-expect-error a fallback is never undefined
      () => byApiKey({ otherwise: () => undefined }),
      // @ts-expect-error both parts are identities
      () => compose(byIp(), 'account'),
    ];

    expect(wrong).toHaveLength(6);
  });
});

describe('Tiers of HttpRequest', () => {
  const tiers: readonly Tier<HttpRequest>[] = [
    { ...minute, name: 'key', key: byApiKey({ otherwise: byIp() }) },
    { ...minute, name: 'ip', limit: ({ headers }) => (headers?.['x-internal'] ? null : 5), key: byIp() },
  ];

  it('serve Express, a plain server and an operator with one limiter', async () => {
    const limiter: Limiter<HttpRequest> = createLimiter({ tiers });
    const handlers: RequestHandler[] = [rateLimit({ limiter }), rateLimit({ limiter, headers: [] })];
    const upgrade = (message: IncomingMessage) => limiter.consume(message, { cost: 2 });

    await limiter.reset({ ip: '192.0.2.1' });

    expect([handlers.length, upgrade.length]).toEqual([2, 1]);
  });

  it('serve a limiter of Express', () => {
    expect(() => rateLimit({ tiers, store: memoryStore() })).not.toThrow();
  });
});
