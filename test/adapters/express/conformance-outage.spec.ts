import { rateLimit, redisStore, type Store } from '@sluice/express';
import { closedPort } from '../../../packages/core/src/testing/internal/listener.js';
import { wireTo } from '../../support/wire.js';
import { startRedis, type RedisServer } from '../../support/redis.js';
import { limitFields, statusesOf } from './fields.js';
import { served, versions } from './frameworks.js';
import { siteOpener, type Answer, type Site } from './site.js';

/** The deadline of a store, and time for a busy machine. */
const BOUND = 50 + 450;

describe.each(versions)('A Redis that cannot answer on %s', (_version, express) => {
  const open = siteOpener();
  const stores: Store[] = [];
  let server: RedisServer;

  const opened = (url: string, more: object = {}) => {
    const store = redisStore({ url });
    stores.push(store);
    const limit = rateLimit({ store, name: 'hour', limit: 1_000, window: '1h', ...more });
    return open(served(express, limit, (request, response) => void response.send(request.rateLimit?.source)));
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

  it.each([
    ['local', 200],
    ['allow', 200],
    ['deny', 503],
  ] as const)(
    'C44 is waited for within a bound where nobody listens: %s answers %d',
    async (onStoreFailure, status) => {
      const site = await opened(`redis://127.0.0.1:${await closedPort()}`, { onStoreFailure });
      const started = performance.now();

      const answer = await site.ask();

      expect(performance.now() - started).toBeLessThan(BOUND);
      expect(answer.status).toBe(status);
    },
  );

  it.each([
    ['local', 200],
    ['allow', 200],
    ['deny', 503],
  ] as const)(
    'C44 is waited for within a bound where it goes silent: %s answers %d',
    async (onStoreFailure, status) => {
      const wire = await wireTo(server);
      const site = await opened(wire.url, { onStoreFailure });
      await fromRedis(site);

      wire.freeze();
      const started = performance.now();
      const answer = await site.ask();

      expect(performance.now() - started).toBeLessThan(BOUND);
      expect(answer.status).toBe(status);
      await wire.close();
    },
  );

  it('C32 C44 is a problem of its own where it is to deny, with Retry-After, and tells nothing of limits, of Redis or of anyone', async () => {
    const port = await closedPort();
    const site = await opened(`redis://127.0.0.1:${port}`, {
      onStoreFailure: 'deny',
      headers: ['x-ratelimit', 'draft-11'],
    });

    const answer = await site.ask();

    const wait = answer.headers['retry-after'];
    expect([answer.status, answer.reason]).toEqual([503, 'Service Unavailable']);
    expect(limitFields(answer)).toEqual({ 'retry-after': expect.stringMatching(/^[1-5]$/) });
    expect(answer.headers).toMatchObject({ 'cache-control': 'no-store' });
    expect(answer.headers['content-type']).toContain('application/problem+json');
    expect(JSON.parse(answer.text)).toEqual({
      type: 'https://iana.org/assignments/http-problem-types#temporary-reduced-capacity',
      title: 'Request cannot be satisfied due to temporary server capacity constraints',
      status: 503,
      detail: expect.stringMatching(
        new RegExp(`^The limits of this service cannot be checked at the moment. Retry in ${wait} seconds?\\.$`),
      ),
    });
    expect(answer.text).not.toMatch(new RegExp(`redis|ECONN|${port}|127\\.0\\.0\\.1`, 'i'));
  });

  it('C44 has answers that differ in when to come back, so that not all come at once', async () => {
    const site = await opened(`redis://127.0.0.1:${await closedPort()}`, { onStoreFailure: 'deny' });

    const answers = await site.askTimes(40);

    expect(new Set(statusesOf(answers))).toEqual(new Set([503]));
    expect(new Set(answers.map(({ headers }) => headers['retry-after'])).size).toBeGreaterThan(1);
  });

  it('C44 tells the limit that this process has alone, and nothing where there is none', async () => {
    const url = `redis://127.0.0.1:${await closedPort()}`;
    const [alone, unlimited] = [
      await opened(url, { share: 0.5, headers: ['draft-11'] }),
      await opened(url, { onStoreFailure: 'allow', headers: ['draft-11'] }),
    ];

    const [told, untold] = [await alone.ask(), await unlimited.ask()];

    expect(limitFields(told)).toMatchObject({ 'ratelimit-policy': '"hour";q=500;w=3600' });
    expect(limitFields(untold)).toEqual({});
  });

  it('C44 tells the share of every window', async () => {
    const windows = [
      { limit: 10, window: '1m' },
      { limit: 101, window: '1h' },
    ] as const;
    const store = redisStore({ url: `redis://127.0.0.1:${await closedPort()}` });
    stores.push(store);
    const tiers = [{ name: 'pages', algorithm: 'multi-window', windows }] as const;
    const site = await open(served(express, rateLimit({ store, tiers, share: 0.5, headers: ['draft-11'] })));

    const answer = await site.ask();

    expect(answer.headers['ratelimit-policy']).toBe('"pages/1h";q=51;w=3600, "pages/1m";q=5;w=60');
  });

  it('C44 is over when it answers again', async () => {
    const wire = await wireTo(server);
    const site = await opened(wire.url, { onStoreFailure: 'deny' });
    await fromRedis(site);
    wire.freeze();
    const during = await site.ask();

    wire.cut();
    const after = await fromRedis(site);

    expect([during.status, after.status]).toEqual([503, 200]);
    await wire.close();
  });

  /** The first answer that Redis has decided about. */
  async function fromRedis(site: Site): Promise<Answer> {
    for (;;) {
      const answer = await site.ask();
      if (answer.text === 'redis') return answer;
    }
  }
});
