import { Redis } from 'ioredis';
import { startRedis, type RedisServer } from '../../../test/support/redis.js';
import { subscribe } from '../../core/src/events/events.js';
import { deciderOf } from '../../core/src/limiter/known-facts.js';
import { createLimiter } from '../../core/src/limiter/limiter.js';
import { claim } from '../../../test/support/claim.js';
import { ManualClient, replyError } from '../../../test/support/manual-client.js';
import { configError } from '../../../test/support/config-error.js';
import { patient } from '../../../test/support/patient.js';
import { redisStore } from './redis-store.js';

const url = 'redis://127.0.0.1:1';

/** Settings of ioredis without a warning. */
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

/** Blocks the event loop. */
function blockFor(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

describe('redisStore, deadline', () => {
  it.each([1, 50, '50ms', '1s', 10_000, '10s'] as const)('accepts %s', (deadline) => {
    expect(() => redisStore(new ManualClient(), { deadline })).not.toThrow();
  });

  it('must be the same for all stores on a client', () => {
    const client = new ManualClient();
    redisStore(client, { deadline: 50 });

    expect(() => redisStore(client, { deadline: '50ms' })).not.toThrow();
    expect(() => redisStore(client)).not.toThrow();
    expect(() => redisStore(client, { deadline: 80 })).toThrow(
      /deadline must be the same for all stores on a client, because .+: it is 50 ms there, got 80$/,
    );
    expect(() => redisStore(new ManualClient(), { deadline: 80 })).not.toThrow();
  });

  it('accepts a reply that arrived while the process was busy', async () => {
    const client = await connected();
    const store = redisStore(client, { deadline: 20 });
    // From here on the server has the script.
    const other = redisStore({ url: server.url }, patient);
    await other.consume([claim()]);
    await other.close();
    const answers = [];

    // One after the other, because the timer of one must not end the next.
    for (let round = 0; round < 5; round += 1) {
      const answer = store.consume([claim()]);
      blockFor(300);
      answers.push(await answer);
    }
    client.disconnect();

    expect(answers.map(({ outcomes }) => outcomes[0]!.remaining)).toEqual([9, 9, 9, 9, 9]);
  });

  it('sends a check that waited in a batch while the process was busy', async () => {
    const client = await connected();
    const store = redisStore(client, { deadline: 200 });
    await store.consume([claim()]);

    const first = Promise.allSettled(Array.from({ length: 4 }, () => store.consume([claim()])));
    const pending = store.consume([claim()]);
    blockFor(300);
    await first;
    const { source } = await pending;
    client.disconnect();

    expect(source).toBe('redis');
  });
});

describe('RedisStore.ready', () => {
  beforeEach(() => jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] }));
  afterEach(() => jest.useRealTimers());

  const pass = (milliseconds: number) => jest.advanceTimersByTimeAsync(milliseconds);

  it.each([
    ['at once if waiting cannot cure it', 'NOAUTH Authentication required.', 0],
    ['after ten seconds if the server may recover', 'LOADING Redis is loading the dataset in memory', 10_000],
  ])('rejects %s', async (_when, problem, after) => {
    const client = new ManualClient();
    client.evalsha = client.eval = () => Promise.reject(replyError(problem));
    const onError = jest.fn();
    redisStore(client).ready().catch(onError);

    await pass(Math.max(0, after - 100));
    const early = onError.mock.calls.length;
    await pass(200);

    expect(early).toBe(after === 0 ? 1 : 0);
    const [code] = problem.split(' ');
    expect(onError.mock.calls).toMatchObject([
      [{ code: 'STORE_UNAVAILABLE', message: expect.stringContaining(code!) }],
    ]);
  });

  it('rejects when the store is closed', async () => {
    const store = redisStore(new ManualClient('end'));
    const onError = jest.fn();
    store.ready().catch(onError);

    await store.close();
    await pass(100);

    expect(onError.mock.calls).toMatchObject([[{ code: 'STORE_CLOSED' }]]);
  });
});

describe('RedisStore', () => {
  it('probes with a key that expires after a second', async () => {
    const client = await connected();
    const store = redisStore(client, { deadline: '1s' });
    const one = claim({ tag: 'abcdef' });
    const states: string[] = [];
    const unsubscribe = subscribe('sluice:breaker', ({ state }) => states.push(state));
    await store.consume([one]);

    // A replica without a primary refuses to write.
    await client.replicaof('127.0.0.1', '1');
    while (!states.includes('open')) await Promise.resolve(store.consume([one])).catch(() => undefined);
    await client.replicaof('NO', 'ONE');
    while (!states.includes('closed')) {
      await Promise.resolve(store.consume([one])).catch(() => undefined);
      await new Promise(setImmediate);
    }
    const expires = await client.pttl('rl:{abcdef}:probe');
    unsubscribe();
    client.disconnect();

    expect(expires).toBeGreaterThan(0);
    // Rounded up to a whole millisecond.
    expect(expires).toBeLessThanOrEqual(1_001);
  });

  it.each([{}, { charge: 'all' }] as const)(
    'takes no promise for a request of a gate during an outage: %j',
    async (options) => {
      const emitWarning = jest.spyOn(process, 'emitWarning').mockImplementation();
      const client = new ManualClient();
      const store = redisStore(client);
      const gate = deciderOf(
        createLimiter({ store, key: () => 'ada', name: 'minute', limit: 5, window: '1m', ...options }),
      );
      client.become('close');

      const decisions = [gate.decide({}), gate.decide({})];
      emitWarning.mockRestore();

      expect(decisions).toMatchObject([
        { source: 'local', outcomes: [{ remaining: 4 }] },
        { source: 'local', outcomes: [{ remaining: 3 }] },
      ]);
    },
  );

  it('is not created without ioredis', async () => {
    jest.resetModules();
    jest.doMock('ioredis', () => {
      throw new Error("Cannot find package 'ioredis'");
    });
    const { redisStore: withoutIoredis } = await import('./redis-store.js');
    const message = 'ioredis was not found: npm install ioredis';

    expect(() => withoutIoredis({ url })).toThrow(configError('OPTION_INVALID', 'client', message));
    expect(() => withoutIoredis(new ManualClient())).not.toThrow();
    jest.dontMock('ioredis');
  });
});
