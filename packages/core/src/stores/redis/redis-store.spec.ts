import { Redis } from 'ioredis';
import { ManualClient } from '../../testing/internal/manual-client.js';
import { claim } from '../../testing/internal/claim.js';
import { patient } from '../../testing/internal/patient.js';
import { startRedis, type RedisServer } from '../../../../../test/support/redis.js';
import { subscribe } from '../../events/events.js';
import type { ConfigError } from '../../model/errors.js';
import { redisStore, type RedisStoreOptions } from './redis-store.js';

const url = 'redis://127.0.0.1:1';

/** What ioredis needs to be for a limiter, so that nothing is warned of. */
const settings = { maxRetriesPerRequest: 0, enableOfflineQueue: false, socketTimeout: 2_000 };

let server: RedisServer;

beforeAll(async () => {
  server = await startRedis();
});

afterAll(() => server.stop());

async function connected(): Promise<Redis> {
  const client = new Redis(server.port, { ...settings, lazyConnect: true });
  await client.connect();
  return client;
}

/** Keeps the process busy: nothing is read meanwhile. */
function blockFor(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

describe('the deadline of a store', () => {
  it.each([1, 50, '50ms', '1s', 10_000, '10s'] as const)('may be %s', (deadline) => {
    expect(() => redisStore(new ManualClient(), { deadline })).not.toThrow();
  });

  it.each<[unknown, string]>([
    [0, 'got 0'],
    [0.5, 'got 0.5'],
    [-1, 'got -1'],
    [10_001, 'got 10001'],
    [Infinity, 'got Infinity'],
    [Number.NaN, 'got NaN'],
    ['11s', 'got "11s"'],
    ['soon', 'got "soon"'],
    [null, 'got null'],
    [{}, 'got an object'],
  ])('may not be %p', (deadline, got) => {
    expect(() => redisStore({ url }, { deadline } as RedisStoreOptions)).toThrow(
      expect.objectContaining({
        name: 'ConfigError',
        code: 'OPTION_INVALID',
        option: 'deadline',
        message: `redisStore: deadline must be a duration from 1 ms to 10 s, such as 50 or '50ms', ${got}`,
      }) as ConfigError,
    );
  });

  it.each<[string, object, string]>([
    ['is misspelt', { deadlin: 50 }, 'did you mean deadline?'],
    ['is called a timeout', { timeout: 50 }, 'timeout'],
  ])('is not what %s', (_what, options, hint) => {
    expect(() => redisStore({ url }, options)).toThrow(
      expect.objectContaining({ code: 'OPTION_UNKNOWN', message: expect.stringContaining(hint) }) as ConfigError,
    );
  });

  it('is the same for all stores on a client', () => {
    const client = new ManualClient();
    redisStore(client, { deadline: 50 });

    expect(() => redisStore(client, { deadline: '50ms' })).not.toThrow();
    expect(() => redisStore(client)).not.toThrow();
    expect(() => redisStore(client, { deadline: 80 })).toThrow(
      expect.objectContaining({
        code: 'OPTION_INVALID',
        option: 'deadline',
        message:
          'redisStore: deadline must be the same for all stores on a client, for their checks share calls: it is 50 ms there, got 80',
      }) as ConfigError,
    );
    expect(() => redisStore(new ManualClient(), { deadline: 80 })).not.toThrow();
  });

  it('does not pass over a reply that has arrived while the process was busy', async () => {
    const client = await connected();
    const store = redisStore(client, { deadline: 20 });
    // From here on the server knows the script.
    const knowing = redisStore({ url: server.url }, patient);
    await knowing.consume([claim()]);
    await knowing.close();
    const answers = [];

    // One after the other, for what is left of one must not end the next.
    for (let round = 0; round < 5; round += 1) {
      const asked = store.consume([claim()]);
      blockFor(150);
      answers.push(await asked);
    }
    client.disconnect();

    expect(answers.map(({ outcomes }) => outcomes[0]!.remaining)).toEqual([9, 9, 9, 9, 9]);
  });

  it('withdraws a check that waited in the queue for longer, and counts it nowhere', async () => {
    const client = await connected();
    const store = redisStore(client, { deadline: 200 });
    const one = claim();
    await store.consume([claim()]);

    const first = Promise.allSettled(Array.from({ length: 4 }, () => store.consume([claim()])));
    const queued = Promise.resolve(store.consume([one])).catch((error: Error) => error.message);
    blockFor(300);
    await first;
    const told = await queued;
    const { outcomes } = await store.peek([one]);
    client.disconnect();

    expect(told).toBe('Redis cannot be reached: the process was busy for longer than the deadline');
    expect(outcomes[0]!.remaining).toBe(10);
  });
});

describe('what a request can hold', () => {
  it('opens no breaker, whatever it is: the next request is answered by Redis', async () => {
    const states: string[] = [];
    const unsubscribe = subscribe('sluice:breaker', ({ state }) => states.push(state));
    const client = await connected();
    const store = redisStore(client, patient);
    const words = [
      'READONLY',
      'LOADING',
      'OOM',
      'BUSY',
      'CLUSTERDOWN',
      'MASTERDOWN',
      'NOSCRIPT',
      '\r\n-ERR',
      '\0',
      '💥',
    ];

    for (const word of [...words, ...words, ...words]) {
      const bad = claim({ tag: word, record: word, tier: 'bad' });
      await client.hset(bad.key, word, word);
      const text = claim({ record: word });
      await client.set(text.key, word);
      await Promise.allSettled([
        store.consume([claim({ tag: word, record: word, cost: 2 ** 53 - 1 })]),
        store.consume([bad]),
        store.consume([text, bad]),
        store.peek([bad]),
        store.reset([`{${word}`, word]),
        store.inspect(word),
      ]);
    }
    const { source } = await store.consume([claim()]);
    unsubscribe();
    client.disconnect();

    expect(states).toEqual([]);
    expect(source).toBe('redis');
  });
});

describe('the canary', () => {
  it('is gone from Redis a second after the probe', async () => {
    const client = await connected();
    const store = redisStore(client, { deadline: '1s' });
    const one = claim({ tag: 'abcdef' });
    const ends: string[] = [];
    const unsubscribe = subscribe('sluice:breaker', ({ state }) => ends.push(state));
    await store.consume([one]);

    // A server that was made a replica of nobody refuses to count.
    await client.replicaof('127.0.0.1', '1');
    while (!ends.includes('open')) await Promise.resolve(store.consume([one])).catch(() => undefined);
    await client.replicaof('NO', 'ONE');
    while (!ends.includes('closed')) {
      await Promise.resolve(store.consume([one])).catch(() => undefined);
      await new Promise(setImmediate);
    }
    const expires = await client.pttl('rl:{abcdef}:canary');
    unsubscribe();
    client.disconnect();

    expect(expires).toBeGreaterThan(0);
    // Rounded up to a whole millisecond.
    expect(expires).toBeLessThanOrEqual(1_001);
  });
});

describe('a store whose ioredis is missing', () => {
  it('says so in each call, and can be closed', async () => {
    jest.resetModules();
    jest.doMock('ioredis', () => {
      throw new Error("Cannot find package 'ioredis'");
    });
    const { redisStore: withoutIoredis } = await import('./redis-store.js');
    const store = withoutIoredis({ url });

    const first = await Promise.resolve(store.consume([claim()])).catch((error: unknown) => error);
    const second = await Promise.resolve(store.peek([claim()])).catch((error: unknown) => error);
    await store.close();
    jest.dontMock('ioredis');

    for (const error of [first, second]) {
      expect(error).toMatchObject({
        code: 'STORE_UNAVAILABLE',
        message: expect.stringContaining('redisStore needs ioredis to connect: npm install ioredis'),
      });
    }
  });
});
