import {
  by,
  byApiKey,
  byIp,
  compose,
  rateLimit,
  subscribe,
  type OnStoreFailure,
  type SluiceEvents,
} from '@sluice/express';
import { redisStore } from '@sluice/redis';
import express, { type Request } from 'express';
import { siteOpener } from '../../support/site.js';
import { closedPort } from '../../support/listener.js';
import { wireTo } from '../../support/wire.js';
import { startRedis, type RedisServer } from '../../support/redis.js';

const channels = [
  'sluice:decision',
  'sluice:store-call',
  'sluice:breaker',
  'sluice:late-reply',
  'sluice:degraded',
  'sluice:config-fault',
] as const satisfies readonly (keyof SluiceEvents)[];

const secrets = ['198.51.100.77', 'key-of-ada', 'ada@example.com', 'seen-from-here'];

describe('events, warnings and responses without Redis', () => {
  const open = siteOpener();
  let server: RedisServer;
  let published: unknown[];
  let ends: (() => void)[];
  let warned: jest.SpyInstance;

  beforeAll(async () => {
    server = await startRedis();
  });

  beforeEach(() => {
    published = [];
    ends = channels.map((name) => subscribe(name, (event) => void published.push([name, event])));
    warned = jest.spyOn(process, 'emitWarning').mockImplementation();
  });

  afterEach(() => {
    for (const end of ends) end();
    warned.mockRestore();
  });

  afterAll(() => server.stop());

  const identified = {
    headers: { 'X-Forwarded-For': secrets[0]!, 'X-Api-Key': secrets[1]!, 'X-User': secrets[2]! },
  };

  it.each([
    ['local', 200],
    ['allow', 200],
    ['deny', 503],
  ] as const)('contain no identity on a closed port: %s', async (onStoreFailure, expected) => {
    const { texts, status } = await textsOf(`redis://127.0.0.1:${await closedPort()}`, onStoreFailure);

    expect(status).toBe(expected);
    expect(published.length).toBeGreaterThan(8);
    for (const secret of secrets) expect(texts).not.toContain(secret);
  });

  it('contain no identity when Redis goes silent and the breaker opens', async () => {
    const wire = await wireTo(server);
    const { texts } = await textsOf(wire.url, 'local', () => wire.freeze());

    expect(texts).toContain('sluice:breaker');
    for (const secret of secrets) expect(texts).not.toContain(secret);
    await wire.close();
  });

  /** Everything that is published, warned of and answered about a client, before and after something happens. */
  async function textsOf(url: string, onStoreFailure: OnStoreFailure, act = () => undefined as void) {
    const store = redisStore({ url });
    const user = by('user', (subject: Request) => subject.get('x-user'));
    const tier = { limit: 100, window: '1h', record: () => secrets[3], onStoreFailure } as const;
    const app = express().set('trust proxy', 'loopback');
    const limit = rateLimit({
      store,
      tiers: [
        { ...tier, name: 'ip', key: byIp() },
        { ...tier, name: 'key', key: byApiKey() },
        { ...tier, name: 'user', key: compose(byIp(), user) },
      ],
      refundWhen: () => true,
    });
    app.use(limit, (_request, response) => void response.send('served'));
    const site = await open(app);
    const responses = [await site.send(identified)];
    act();
    responses.push(...(await site.sendTimes(8, identified)));
    await store.close();
    return { texts: JSON.stringify([published, warned.mock.calls, responses]), status: responses[0]!.status };
  }
});
