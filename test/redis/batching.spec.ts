import { Redis } from 'ioredis';
import type { Store } from '@sluice/core';
import type { Answer } from '@sluice/core/own-store';
import { redisStore } from '@sluice/redis';
import type { Deferred } from '../../packages/core/src/async/deferred.js';
import { chargedFor } from '../../packages/core/src/model/claim.js';
import { withRedisStore } from '../support/redis-store.js';
import { claim, newTag } from '../support/claim.js';
import { commandsDuring, namesIn, writesIn, type ServerCommand } from '../support/monitor.js';
import { patient } from '../support/patient.js';

describe('redisStore, checks of one turn', () => {
  const redis = withRedisStore(async ({ store }) => {
    // Loads the scripts, because EVAL after NOSCRIPT would change the order of calls.
    await store.consume([claim()]);
    await store.peek([claim()]);
    await store.reset([claim().key]);
  });

  /** The batch sizes of many checks in one turn: each is as large as all before it. The next one is full. */
  const BURST = [1, 1, 2, 4, 8, 16];

  /** Sends checks that fill these batches. */
  function inFlight(batches: readonly number[]): unknown[] {
    const checks = batches.reduce((sum, size) => sum + size, 0);
    return Array.from({ length: checks }, () => redis.store.peek([claim()]));
  }

  function sizesOf(commands: readonly ServerCommand[]): readonly number[] {
    return callsIn(commands).map(({ arguments: args }) => Number(args[1]));
  }

  function callsIn(commands: readonly ServerCommand[]): ServerCommand[] {
    return commands.filter(({ name }) => name === 'evalsha');
  }

  it('forms batches of as many checks as are in flight, of 32 at most', async () => {
    const commands = await commandsDuring(redis.server, () => Promise.all(inFlight([...BURST, 32, 32, 7])));

    expect(sizesOf(commands)).toEqual([...BURST, 32, 32, 7]);
  });

  it('tells the counts of 32 rings of 250 slots, which are more numbers than Lua passes', async () => {
    const policy = { limit: 1_000, window: '250s', precision: 250 } as const;
    const claims = Array.from({ length: 64 }, () => claim({ policy }));

    await Promise.all(claims.map((each) => redis.store.consume([each])));
    const answers = await Promise.all(claims.map((each) => redis.store.peek([each])));

    expect(answers.map(({ outcomes }) => outcomes[0]!.remaining)).toEqual(claims.map(() => 999));
  });

  it('sends a lone check immediately', async () => {
    const commands = await commandsDuring(redis.server, () => {
      const answer = redis.store.consume([claim()]);
      return Promise.all([answer, redis.client.ping()]);
    });

    expect(namesIn(commands.filter(({ scripted }) => !scripted))).toEqual(['evalsha', 'ping']);
  });

  it('sends a small batch at the end of the turn while more checks are in flight', async () => {
    const commands = await commandsDuring(redis.server, () => {
      const answers = [...inFlight([1, 1]), redis.store.consume([claim()])];
      const late = Promise.resolve().then(() => redis.client.ping());
      return Promise.all([...answers, late, redis.client.ping()]);
    });

    const names = namesIn(commands.filter(({ scripted }) => !scripted));
    expect(names).toEqual(['evalsha', 'evalsha', 'ping', 'ping', 'evalsha']);
  });

  it('sends reset, refund and recorded after earlier checks', async () => {
    const [one, other] = [claim({ record: 'a note' }), claim()];
    const { receipts } = await redis.store.consume([other]);

    const all = inFlight(BURST);
    const [, reset, , given, , notes] = await Promise.all([
      redis.store.consume([one]),
      redis.store.reset([one.key]),
      redis.store.consume([{ ...other, cost: 9 }]),
      redis.store.refund(receipts),
      redis.store.consume([one]),
      redis.store.recorded(one.key),
    ]);

    await Promise.all(all);
    expect([reset, given, notes]).toEqual([undefined, 1, ['a note']]);
    expect((await redis.store.peek([one])).outcomes[0]!.remaining).toBe(9);
    expect((await redis.store.peek([other])).outcomes[0]!.remaining).toBe(1);
  });

  it('puts at most 96 claims in a batch', async () => {
    const group = () => Array.from({ length: 10 }, () => claim());
    // The script that is made for ten tiers is sent by its text first.
    await redis.store.consume(group());

    const commands = await commandsDuring(redis.server, () =>
      Promise.all([...inFlight(BURST), ...Array.from({ length: 9 + 1 }, () => redis.store.consume(group()))]),
    );

    expect(sizesOf(commands)).toEqual([...BURST, 90, 10]);
  });

  it('puts at most 1 000 units of logs in a batch, or one check', async () => {
    const policy = { algorithm: 'sliding-window-log', limit: 5_000, window: '1h' } as const;
    const costs = [400, 400, 400, 600, 1, 3_000, 1, 1_000, 1];
    // Loads the scripts.
    await redis.store.consume([claim({ policy })]);
    await redis.store.consume([claim({ policy, cost: 2 })]);

    const commands = await commandsDuring(redis.server, () =>
      Promise.all([...inFlight(BURST), ...costs.map((cost) => redis.store.consume([claim({ policy, cost })]))]),
    );

    expect(sizesOf(commands)).toEqual([...BURST, 2, 2, 1, 1, 1, 1, 1]);
  });

  it('decides checks in the order of their calls', async () => {
    const one = claim({ policy: { limit: 100, window: '1h' } });
    await redis.store.consume([claim({ policy: one.policy })]);

    const answers = await Promise.all(Array.from({ length: 101 }, () => redis.store.consume([one])));

    const remaining = answers.map(({ outcomes }) => outcomes[0]!.remaining);
    expect(remaining).toEqual([...Array.from({ length: 100 }, (_, index) => 99 - index), 0]);
    expect(answers.map(({ outcomes }) => outcomes[0]!.allowed).indexOf(false)).toBe(100);
  });

  it('reads and writes a shared key once in a batch', async () => {
    const one = claim({ policy: { limit: 1_000, window: '1h' } });
    await redis.store.consume([one]);

    const commands = await commandsDuring(redis.server, () =>
      Promise.all([
        ...inFlight(BURST),
        ...Array.from({ length: 32 }, () => redis.store.consume([chargedFor({ ...one, cost: 2 }, 'all')])),
      ]),
    );

    const reads = commands.filter(({ name, arguments: args }) => name === 'get' && args[0] === one.key);
    expect(reads).toHaveLength(1);
    expect(writesIn(commands)).toEqual([['incrby', one.key, '64']]);
  });

  it('gives each request of a batch its own permit, also where one is ahead of the clock', async () => {
    const policy = { algorithm: 'concurrency', limit: 3, hold: '1m' } as const;
    const first = claim({ policy, name: 'first' });
    const names = ['second', 'third', 'fourth', 'fifth'];
    await redis.store.consume([first]);
    await redis.client.zadd(first.key, String(Date.now() + 3_600_000), 'first');

    const answers = await Promise.all([
      ...inFlight(BURST),
      ...names.map((name) => redis.store.consume([{ ...first, name }])),
    ]);

    const own = answers.slice(-names.length) as Answer[];
    expect(own.map(({ outcomes }) => outcomes[0]!.allowed)).toEqual([true, true, false, false]);
    expect((await redis.client.zrange(first.key, '0', '-1')).toSorted()).toEqual(['first', 'second', 'third']);
  });

  it('sends units of one key as their number', async () => {
    const one = claim({ policy: { limit: 1_000, window: '1h' } });
    await redis.store.consume([one]);

    const commands = await commandsDuring(redis.server, () =>
      Promise.all([...inFlight(BURST), ...Array.from({ length: 32 }, () => redis.store.consume([one]))]),
    );

    const touching = commands.filter(({ scripted, arguments: args }) => scripted && args[0] === one.key);
    expect(touching).toEqual([expect.objectContaining({ name: 'incrby', arguments: [one.key, '32'] })]);
  });

  it('decides overlapping groups as exactly as one after the other', async () => {
    const sequence = (tag: string) => {
      const hour = { tag, tier: 'hour', policy: { limit: 9, window: '1h' } } as const;
      const day = { tag, tier: 'day', policy: { algorithm: 'token-bucket', limit: 13, window: '24h' } } as const;
      const log = { tag, tier: 'log', policy: { algorithm: 'sliding-window-log', limit: 12, window: '1h' } } as const;
      return Array.from({ length: 24 }, (_, index) => {
        const cost = 1 + (index % 3);
        if (index % 4 === 0) return [claim({ ...day, cost }), claim({ ...hour, cost })];
        if (index % 4 === 1) return [claim({ ...log, cost, charge: 'all' }), claim({ ...hour, cost })];
        if (index % 4 === 2) return [claim({ ...day, cost }), claim({ ...log, cost, shadow: true })];
        return [claim({ ...hour, cost: 1 })];
      });
    };
    const short = (answers: Awaited<ReturnType<Store['consume']>>[]) =>
      answers.map(({ outcomes, receipts }) => [
        outcomes.map(({ allowed, remaining }) => [allowed, remaining]),
        receipts.map(({ units }) => units),
      ]);

    const singly = [];
    for (const group of sequence(newTag())) singly.push(await redis.store.consume(group));
    const together = await Promise.all(sequence(newTag()).map((group) => redis.store.consume(group)));

    expect(short(together)).toEqual(short(singly));
    expect(short(together).flat(3)).toContain(false);
  });

  it('puts peek and consume in one batch', async () => {
    const one = claim();

    const answers = await Promise.all([
      ...(inFlight([1, 1]) as Promise<Answer>[]),
      redis.store.peek([one]),
      redis.store.consume([one]),
      redis.store.peek([one]),
    ]);

    expect(answers.slice(2).map(({ outcomes }) => outcomes[0]!.remaining)).toEqual([10, 9, 9]);
  });

  it('settles checks that a failure callback starts', async () => {
    const others = new Redis(redis.server.port);
    const lost = redisStore(others, patient);
    await lost.consume([claim()]);
    const consume = (onFailure: () => void = () => undefined) =>
      (lost.consume([claim()]) as Deferred<Answer>).chain(
        () => 'answered',
        () => {
          onFailure();
          return 'failed';
        },
      );
    const again: Promise<string>[] = [];
    const sent = Array.from({ length: 32 - 1 }, () => consume(() => again.push(consume())));

    // The checks before these are in flight; the others wait for a fuller batch.
    const left = 1 + 1 + 2 + 4 + 8;
    others.disconnect();
    sent.push(...Array.from({ length: 6 }, () => consume()));

    const waiting = (await Promise.all(sent)).slice(left);
    expect(waiting).toEqual(new Array(21).fill('failed'));
    expect(again.length).toBeGreaterThanOrEqual(5);
    expect(await Promise.all(again)).toEqual(again.map(() => 'failed'));
    await lost.close();
  });

  it('shares batches between two stores of one client', async () => {
    const other = redisStore(redis.client, patient);

    const commands = await commandsDuring(redis.server, () =>
      Promise.all([
        ...inFlight(BURST),
        redis.store.consume([claim()]),
        other.consume([claim()]),
        other.peek([claim()]),
      ]),
    );

    expect(sizesOf(commands)).toEqual([...BURST, 3]);
  });

  it('rejects only the checks of the closed one of two stores', async () => {
    const other = redisStore(redis.client, patient);
    await other.close();

    const [answer, refused] = await Promise.allSettled([redis.store.consume([claim()]), other.consume([claim()])]);

    expect(answer).toMatchObject({ status: 'fulfilled' });
    expect(refused).toMatchObject({ status: 'rejected', reason: { code: 'STORE_CLOSED' } });
  });

  it('refunds a thousand receipts in several calls, so that none blocks Redis', async () => {
    const one = claim({ cost: 10 });
    const { receipts } = await redis.store.consume([one]);

    const commands = await commandsDuring(redis.server, () =>
      redis.store.refund(Array.from({ length: 1_000 }, () => ({ ...receipts[0]!, units: 1 }))),
    );
    const { outcomes } = await redis.store.peek([one]);

    expect(commands.filter(({ scripted, name }) => !scripted && name.startsWith('eval')).length).toBeGreaterThan(10);
    expect(outcomes[0]!.remaining).toBe(10);
  });
});
