import { Redis } from 'ioredis';
import { definePolicy, type PolicyOptions } from '@sluice/core';
import type { Answer } from '@sluice/core/own-store';
import { redisStore, type RedisStore } from '@sluice/redis';
import { composeScript } from '../../packages/core/src/scripts/compose.js';
import { generalScript } from '../../packages/core/src/scripts/general-scripts.js';
import { scripts } from '../../packages/core/src/scripts/scripts.js';
import { readyAgain } from '../support/ready-again.js';
import { startRedis, type RedisServer } from '../support/redis.js';
import { claim } from '../support/claim.js';
import { commandsDuring, namesIn } from '../support/monitor.js';
import { patient } from '../support/patient.js';

describe('redisStore on a server without its scripts', () => {
  let server: RedisServer;
  let client: Redis;
  let store: RedisStore;

  beforeAll(async () => {
    server = await startRedis();
  });

  beforeEach(async () => {
    // As documented: the client sends no command twice, and none later.
    client = new Redis(server.port, { maxRetriesPerRequest: 0, enableOfflineQueue: false, lazyConnect: true });
    // These tests stop the server.
    client.on('error', () => undefined);
    await client.connect();
    store = redisStore(client, patient);
  });

  afterEach(async () => {
    await store.close();
    client.disconnect();
  });

  afterAll(() => server.stop());

  const made = composeScript(
    [
      { limit: 100, window: '1m' },
      { algorithm: 'concurrency', limit: 5 },
    ].map(defined),
  );
  const leaky = [defined({ algorithm: 'leaky-bucket', limit: 5, window: '1m', queue: 4 })];
  it.each([
    ...Object.entries(scripts),
    ['a leaky bucket', generalScript('consume', leaky)],
    ['refunds', generalScript('refund', leaky)],
    ['tiers', made],
    ['tiers, packed', made.packed!],
  ] as const)('has the right SHA-1 of %s', async (_name, script) => {
    const sha = await client.script('LOAD', script.source);

    expect(sha).toBe(script.sha);
  });

  const many = claim({ policy: { algorithm: 'fixed-window', limit: 1_000, window: '1h' } });
  const remainingOf = (answers: readonly Answer[]) => answers.map(({ outcomes }) => outcomes[0]!.remaining);

  it('sends the text once, and then the SHA-1', async () => {
    await store.consume([claim()]);
    await client.script('FLUSH');

    const commands = await commandsDuring(server, async () => {
      for (let check = 0; check < 3; check += 1) await store.consume([claim()]);
    });

    expect(namesIn(commands.filter(({ scripted }) => !scripted))).toEqual(['evalsha', 'eval', 'evalsha', 'evalsha']);
  });

  it('completes every kind of call', async () => {
    const one = claim({ record: 'a note' });
    const { receipts } = await store.consume([one]);
    const flushed = async <T>(call: () => T): Promise<Awaited<T>> => {
      await client.script('FLUSH');
      return await call();
    };

    const peeked = await flushed(() => store.peek([one]));
    const given = await flushed(() => store.refund(receipts));
    const notes = await flushed(() => store.recorded(one.key));
    await flushed(() => store.reset([one.key]));

    expect([peeked.outcomes[0]!.remaining, given, notes, await client.exists(one.key)]).toEqual([9, 1, ['a note'], 0]);
  });

  it('counts each check in flight once when the scripts disappear', async () => {
    const one = { ...many, key: claim().key };
    await store.consume([one]);

    const [, ...answers] = await Promise.all([
      client.script('FLUSH'),
      ...Array.from({ length: 100 }, () => store.consume([one])),
    ]);
    const flushes = [];
    for (let turn = 0; turn < 10; turn += 1) {
      flushes.push(client.script('FLUSH'));
      answers.push(...(await Promise.all(Array.from({ length: 10 }, () => store.consume([one])))));
    }
    await Promise.all(flushes);

    // Their order may change: a batch sent by its SHA-1 after the first text overtakes a batch whose refusal is still coming.
    const counts = remainingOf(answers).toSorted((left, right) => right - left);
    expect(counts).toEqual(Array.from({ length: 200 }, (_, index) => 998 - index));
    expect(remainingOf([await store.peek([one])])).toEqual([799]);
  });

  it('works after a restart of the server', async () => {
    const one = claim();
    await store.consume([one]);

    // It can be ready again before the restart has been seen.
    const ready = readyAgain(client);
    await server.restart();
    await ready;
    const answers = [await store.consume([one]), await store.consume([one])];

    expect(remainingOf(answers)).toEqual([9, 8]);
  });

  it('counts no check twice when the server restarts with checks in flight', async () => {
    const one = { ...many, key: claim().key };
    await store.consume([one]);
    await store.reset([one.key]);

    const answers: Answer[] = [];
    const askFifty = async () => {
      const settled = await Promise.allSettled(Array.from({ length: 50 }, () => store.consume([one])));
      answers.push(...settled.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : [])));
    };
    await askFifty();
    const asking = Promise.all([askFifty(), askFifty()]);
    await server.restart();
    await asking;
    if (client.status !== 'ready') await readyAgain(client);
    await askFifty();
    const left = remainingOf([await store.peek([one])])[0]!;

    // The count starts at the limit before and after the restart, so some numbers appear twice.
    const seen = remainingOf(answers);
    const twice = seen.length - new Set(seen).size;
    const counts = [twice, seen.length - twice];
    expect(counts).toContain(1_000 - left);
    expect(Math.min(...seen)).toBe(1_000 - Math.max(...counts));
  });

  it('does not send the text after another error than NOSCRIPT', async () => {
    await client.acl('SETUSER', 'limiter', 'on', 'nopass', '~*', '+@all', '-evalsha');
    const limiter = new Redis(server.port, { username: 'limiter', password: 'any' });

    // The first call of a connection has the text, which this user may run.
    const own = redisStore(limiter, patient);
    await own.consume([claim()]);
    const answer = own.consume([claim()]);

    await expect(answer).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
      message: expect.stringMatching(/NOPERM/),
    });
    limiter.disconnect();
  });
});

function defined(options: object) {
  return definePolicy(options as PolicyOptions);
}
