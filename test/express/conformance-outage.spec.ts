import { rateLimit, redisStore, type Store } from '@sluice/express';
import { closedPort, wireTo } from '../redis/wire.js';
import { startRedis, type RedisServer } from '../support/redis.js';
import { limitFields } from './fields.js';
import { served, versions } from './frameworks.js';
import { siteOpener } from './site.js';

/** The store's own bound, and time for a busy machine. */
const BOUND = 3_000;

describe.each(versions)('A Redis that cannot answer on %s', (_version, express) => {
  const open = siteOpener();
  const stores: Store[] = [];
  let server: RedisServer;

  const opened = (url: string, more: object = {}) => {
    const store = redisStore({ url });
    stores.push(store);
    return open(served(express, rateLimit({ store, name: 'hour', limit: 10, window: '1h', ...more })));
  };

  beforeAll(async () => {
    // That the store is away is said once, and is what these tests are about.
    jest.spyOn(process, 'emitWarning').mockReturnValue();
    server = await startRedis();
  });

  afterEach(async () => {
    await Promise.all(stores.splice(0).map((store) => store.close()));
  });

  afterAll(async () => {
    jest.restoreAllMocks();
    await server.stop();
  });

  it('C44 is answered with 503 within the bound of the store where nobody listens', async () => {
    const site = await opened(`redis://127.0.0.1:${await closedPort()}`);
    const started = performance.now();

    const answer = await site.ask();

    expect(performance.now() - started).toBeLessThan(BOUND);
    expect([answer.status, answer.reason]).toEqual([503, 'Service Unavailable']);
  });

  it('C44 is answered with 503 within the bound of the store where it goes silent', async () => {
    const wire = await wireTo(server);
    const site = await opened(wire.url);
    const before = await site.ask();

    wire.freeze();
    const started = performance.now();
    const answer = await site.ask();

    expect(performance.now() - started).toBeLessThan(BOUND);
    expect([before.status, answer.status]).toEqual([200, 503]);
    await wire.close();
  });

  it('C32 C44 is a problem of its own, with Retry-After, and tells nothing of limits, of Redis or of anyone', async () => {
    const port = await closedPort();
    const site = await opened(`redis://127.0.0.1:${port}`, { headers: ['x-ratelimit', 'draft-11'] });

    const answer = await site.ask();

    expect(limitFields(answer)).toEqual({ 'retry-after': '1' });
    expect(answer.headers).toMatchObject({ 'cache-control': 'no-store' });
    expect(answer.headers['content-type']).toContain('application/problem+json');
    expect(JSON.parse(answer.text)).toEqual({
      type: 'https://iana.org/assignments/http-problem-types#temporary-reduced-capacity',
      title: 'Request cannot be satisfied due to temporary server capacity constraints',
      status: 503,
      detail: 'The limits of this service cannot be checked at the moment. Retry in 1 second.',
    });
    expect(answer.text).not.toMatch(new RegExp(`redis|ECONN|${port}|127\\.0\\.0\\.1`, 'i'));
  });

  it('C44 is over when it answers again', async () => {
    const wire = await wireTo(server);
    const site = await opened(wire.url);
    await site.ask();
    wire.freeze();
    const during = await site.ask();

    wire.cut();
    let after = await site.ask();
    while (after.status === 503) after = await site.ask();

    expect([during.status, after.status]).toEqual([503, 200]);
    await wire.close();
  });
});
