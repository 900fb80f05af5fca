import { Controller, Get } from '@nestjs/common';
import { RateLimit, RateLimitModule, redisStore } from '@sluice/nestjs';
import { Redis } from 'ioredis';

import { startRedis, type RedisServer } from '../../support/redis.js';
import { applicationOpener, platforms } from './applications.js';
import { atEntry } from './guards.js';

@Controller('cats')
class Cats {
  @Get()
  @RateLimit({ limit: 3, window: '1h' })
  all(): string {
    return 'cats';
  }

  @Get(':id')
  find(): string {
    return 'a cat';
  }
}

describe.each(platforms)('limits in Redis, in $name', (platform) => {
  const open = applicationOpener(platform);
  let server: RedisServer;
  let client: Redis;

  beforeAll(async () => {
    server = await startRedis();
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    client = new Redis(server.url);
    await client.flushall();
  });
  afterEach(() => client.disconnect());

  const start = () =>
    open({
      imports: [
        RateLimitModule.forRootAsync({
          useFactory: () => ({
            store: redisStore(client, { deadline: '5s' }),
            prefix: 'zoo',
            secret: 'a secret',
            tiers: [{ name: 'all', limit: 4, window: '1h' }],
          }),
        }),
      ],
      controllers: [Cats],
      providers: [atEntry],
    });

  it('are shared by applications, and asked in one call', async () => {
    const one = await start();
    const other = await start();

    expect(await one.statuses(2, '/cats')).toEqual([200, 200]);
    expect(await other.statuses(2, '/cats')).toEqual([200, 429]);
    expect(await other.statuses(2, '/cats/1')).toEqual([200, 429]);
    const calls = /cmdstat_evalsha:calls=(\d+)/.exec(await client.info('commandstats'))?.[1];
    // Denied keys are answered without Redis; the limiters of two handlers ask once a request.
    expect(Number(calls)).toBeLessThanOrEqual(6);
  });

  it('are kept under the prefix, the secret and the names of tiers', async () => {
    const { ask } = await start();

    await ask('/cats');

    const keys = (await client.keys('*')).map((key) => key.replace(/\{.+\}/, '{}'));
    expect(keys.toSorted()).toEqual([
      expect.stringMatching(/^zoo:\{\}:GET \/cats:\w+/) as string,
      expect.stringMatching(/^zoo:\{\}:all:\w+/) as string,
    ]);
  });

  it('stay when the application is closed, and so does the client', async () => {
    const { app, ask } = await start();

    await ask('/cats');
    await app.close();

    expect(await client.ping()).toBe('PONG');
    expect((await client.keys('*')).length).toBe(2);
  });
});
