import { Redis } from 'ioredis';
import { redisStore, type Answer, type Store } from '@sluice/core';
import type { Deferred } from '../../packages/core/src/async/deferred.js';
import { startRedis, type RedisServer } from '../support/redis.js';
import { claim, newTag } from '../../packages/core/src/testing/internal/claim.js';
import { commandsDuring, namesIn, writesIn, type ServerCommand } from '../support/monitor.js';
import { patient } from '../../packages/core/src/testing/internal/patient.js';

describe('redisStore, checks of one turn', () => {
  let server: RedisServer;
  let client: Redis;
  let store: Store;

  beforeAll(async () => {
    server = await startRedis();
    client = new Redis(server.port);
    store = redisStore(client, patient);
    // From here on the server knows the scripts: one that it has to be told comes later than what is asked after it.
    await store.consume([claim()]);
    await store.peek([claim()]);
    await store.reset([claim().key]);
  });

  afterAll(async () => {
    await store.close();
    client.disconnect();
    await server.stop();
  });

  /** The calls of many checks that come in one turn: each holds a fourth of what is in play. */
  const BURST = [1, 1, 1, 1, 2, 2, 3, 4, 5, 7, 9];
  const MANY = BURST.reduce((sum, size) => sum + size, 0);
  const BURST_TO_WHOLE_CALLS = [...BURST, 12, 16, 22, 29];

  /** Checks that have left in these calls. */
  function underWay(calls: readonly number[]): unknown[] {
    const checks = calls.reduce((sum, size) => sum + size, 0);
    return Array.from({ length: checks }, () => store.peek([claim()]));
  }

  function sizesOf(commands: readonly ServerCommand[]): readonly number[] {
    return callsIn(commands).map(({ arguments: args }) => Number(args[1]));
  }

  function callsIn(commands: readonly ServerCommand[]): ServerCommand[] {
    return commands.filter(({ name }) => name === 'evalsha');
  }

  it('forms batches of a quarter of all pending checks, of 32 at most', async () => {
    const commands = await commandsDuring(server, () =>
      Promise.all([...underWay(BURST_TO_WHOLE_CALLS), ...underWay([32, 32, 7])]),
    );

    expect(sizesOf(commands)).toEqual([...BURST_TO_WHOLE_CALLS, 32, 32, 7]);
  });

  it('sends a lone check immediately', async () => {
    const commands = await commandsDuring(server, () => {
      const answer = store.consume([claim()]);
      return Promise.all([answer, client.ping()]);
    });

    expect(namesIn(commands.filter(({ scripted }) => !scripted))).toEqual(['evalsha', 'ping']);
  });

  it('sends a small batch at the end of the turn while more checks are in flight', async () => {
    const commands = await commandsDuring(server, () => {
      const answers = [...underWay([1, 1, 1, 1]), store.consume([claim()])];
      const late = Promise.resolve().then(() => client.ping());
      return Promise.all([...answers, late, client.ping()]);
    });

    const names = namesIn(commands.filter(({ scripted }) => !scripted));
    expect(names).toEqual([...new Array<string>(4).fill('evalsha'), 'ping', 'ping', 'evalsha']);
  });

  it('sends reset, refund and inspect after earlier checks', async () => {
    const [one, other] = [claim({ record: 'a note' }), claim()];
    const { receipts } = await store.consume([other]);

    const all = underWay(BURST);
    const [, reset, , given, , notes] = await Promise.all([
      store.consume([one]),
      store.reset([one.key]),
      store.consume([{ ...other, cost: 9 }]),
      store.refund(receipts),
      store.consume([one]),
      store.inspect(one.key),
    ]);

    await Promise.all(all);
    expect([reset, given, notes]).toEqual([undefined, 1, ['a note']]);
    expect((await store.peek([one])).outcomes[0]!.remaining).toBe(9);
    expect((await store.peek([other])).outcomes[0]!.remaining).toBe(1);
  });

  it('resets a key after earlier checks of it', async () => {
    const one = claim();

    await Promise.all([...underWay(BURST), store.consume([one]), store.reset([one.key])]);

    expect((await store.peek([one])).outcomes[0]!.remaining).toBe(10);
  });

  it('puts at most 96 claims in a batch', async () => {
    const group = () => Array.from({ length: 10 }, () => claim());

    const commands = await commandsDuring(server, () =>
      Promise.all([...underWay(BURST), ...Array.from({ length: 9 + 1 }, () => store.consume(group()))]),
    );

    expect(sizesOf(commands)).toEqual([...BURST, 90, 10]);
  });

  it('puts at most 1 000 units of logs in a batch, or one check', async () => {
    const policy = { algorithm: 'sliding-window-log', limit: 5_000, window: '1h' } as const;
    const costs = [400, 400, 400, 600, 1, 3_000, 1, 1_000, 1];

    const commands = await commandsDuring(server, () =>
      Promise.all([...underWay(BURST), ...costs.map((cost) => store.consume([claim({ policy, cost })]))]),
    );

    expect(sizesOf(commands)).toEqual([...BURST, 2, 2, 1, 1, 1, 1, 1]);
  });

  it('decides checks in the order of their calls', async () => {
    const one = claim({ policy: { limit: 100, window: '1h' } });
    await store.consume([claim({ policy: one.policy })]);

    const answers = await Promise.all(Array.from({ length: 101 }, () => store.consume([one])));

    const remaining = answers.map(({ outcomes }) => outcomes[0]!.remaining);
    expect(remaining).toEqual([...Array.from({ length: 100 }, (_, index) => 99 - index), 0]);
    expect(answers.map(({ outcomes }) => outcomes[0]!.allowed).indexOf(false)).toBe(100);
  });

  it('reads and writes a shared key once in a batch', async () => {
    const one = claim({ policy: { limit: 1_000, window: '1h' } });
    await store.consume([one]);

    const commands = await commandsDuring(server, () =>
      Promise.all([
        ...underWay(BURST_TO_WHOLE_CALLS),
        ...Array.from({ length: 32 }, () => store.consume([{ ...one, cost: 2 }])),
      ]),
    );

    const reads = commands.filter(({ name, arguments: args }) => name === 'get' && args[0] === one.key);
    expect(reads).toHaveLength(1);
    expect(writesIn(commands)).toEqual([['incrby', one.key, '64']]);
  });

  it('sends units of one key as their number', async () => {
    const one = claim({ policy: { limit: 1_000, window: '1h' } });
    await store.consume([one]);

    const commands = await commandsDuring(server, () =>
      Promise.all([...underWay(BURST_TO_WHOLE_CALLS), ...Array.from({ length: 32 }, () => store.consume([one]))]),
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
        if (index % 4 === 1) return [claim({ ...log, cost, countDenied: true }), claim({ ...hour, cost })];
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
    for (const group of sequence(newTag())) singly.push(await store.consume(group));
    const together = await Promise.all(sequence(newTag()).map((group) => store.consume(group)));

    expect(short(together)).toEqual(short(singly));
    expect(short(together).flat(3)).toContain(false);
  });

  it('puts peek and consume in one batch', async () => {
    const one = claim();

    const all = underWay(BURST) as Promise<Answer>[];

    const answers = await Promise.all([...all, store.peek([one]), store.consume([one]), store.peek([one])]);

    expect(answers.slice(MANY).map(({ outcomes }) => outcomes[0]!.remaining)).toEqual([10, 9, 9]);
  });

  it('settles checks that a failure callback starts', async () => {
    const others = new Redis(server.port);
    const lost = redisStore(others, patient);
    await lost.consume([claim()]);
    const consume = (told: () => void = () => undefined) =>
      (lost.consume([claim()]) as Deferred<Answer>).chain(
        () => 'answered',
        () => {
          told();
          return 'failed';
        },
      );
    const again: Promise<string>[] = [];
    const asked = Array.from({ length: 32 }, () => consume(() => again.push(consume())));

    // These are under way, and the others wait for company, which comes when nothing can be sent any more.
    const sent = 1 + 1 + 1 + 1 + 2 + 2 + 3 + 4 + 5 + 7;
    others.disconnect();
    asked.push(...Array.from({ length: 4 }, () => consume()));

    const waiting = (await Promise.all(asked)).slice(sent);
    expect(waiting).toEqual(new Array(9).fill('failed'));
    expect(again.length).toBeGreaterThanOrEqual(5);
    expect(await Promise.all(again)).toEqual(again.map(() => 'failed'));
    await lost.close();
  });

  it('shares batches between two stores of one client', async () => {
    const other = redisStore(client, patient);

    const commands = await commandsDuring(server, () =>
      Promise.all([...underWay(BURST), store.consume([claim()]), other.consume([claim()]), other.peek([claim()])]),
    );

    expect(sizesOf(commands)).toEqual([...BURST, 3]);
  });

  it('rejects only the checks of the closed one of two stores', async () => {
    const other = redisStore(client, patient);
    await other.close();

    const [answer, refused] = await Promise.allSettled([store.consume([claim()]), other.consume([claim()])]);

    expect(answer).toMatchObject({ status: 'fulfilled' });
    expect(refused).toMatchObject({ status: 'rejected', reason: { code: 'STORE_CLOSED' } });
  });
});

describe('redisStore, thousands of receipts', () => {
  it('refunds receipts in several calls, so that none blocks Redis', async () => {
    const server = await startRedis();
    const client = new Redis(server.port);
    const store = redisStore(client, patient);
    const group = claim({ cost: 10 });
    const { receipts } = await store.consume([group]);

    const commands = await commandsDuring(server, () =>
      store.refund(Array.from({ length: 1_000 }, () => ({ ...receipts[0]!, units: 1 }))),
    );
    const { outcomes } = await store.peek([group]);
    await store.close();
    client.disconnect();
    await server.stop();

    expect(commands.filter(({ scripted, name }) => !scripted && name.startsWith('eval')).length).toBeGreaterThan(10);
    expect(outcomes[0]!.remaining).toBe(10);
  });
});
