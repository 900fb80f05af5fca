import { createLimiter, memoryStore, subscribe, type Notice, type Store, type Tier } from '@sluice/core';
import { sharedLayers } from '@sluice/core/own-store';
import { redisStore } from '@sluice/redis';
import { Redis } from 'ioredis';
import { everyPolicy } from '../support/claim.js';
import { withRedisStore } from '../support/redis-store.js';
import { until } from '../support/until.js';
import { notices } from '@sluice/quotas';

const [, year] = everyPolicy(10).find(([name]) => name === 'fixed-window of a year')!;
const tier = { ...(year as object), algorithm: 'fixed-window', notices: notices(0.5, 1) } as const;

interface Planned {
  readonly user: string;
  readonly plan: number;
}

let names = 0;

/** A limiter of ten units a year, and what it hears. */
function noticing(store: Store, options: object = {}) {
  const heard: Notice[] = [];
  names += 1;
  const key = (user: string) => user;
  const onNotice = (notice: Notice) => void heard.push(notice);
  const named = { ...tier, name: `year-${names}`, key, label: (user: string) => `label of ${user}`, ...options };
  const limiter = createLimiter<string>({ store, onNotice, tiers: [named as never] });
  return { limiter, heard, marks: () => heard.map(({ mark }) => mark) };
}

/** A store of a program, which hands all calls on. */
function wrapped(store: Store): Store {
  return {
    layers: sharedLayers,
    consume: (group) => store.consume(group),
    peek: (group) => store.peek(group),
    refund: (receipts) => store.refund(receipts),
    reset: (keys) => store.reset(keys),
    close: () => store.close(),
  };
}

describe.each(['memory', 'redis'])('a limiter with notices, in %s', (place) => {
  const redis = withRedisStore();
  const open = () => (place === 'memory' ? memoryStore() : redis.store);

  it('gives a notice to onNotice and to its channel, with the label and no identity', async () => {
    const events: Notice[] = [];
    const end = subscribe('sluice:notice', (notice) => events.push(notice));
    const { limiter, heard } = noticing(open());

    await limiter.consume('ada', { cost: 5 });
    end();

    const [{ endsAt, digest }] = heard as [Notice];
    const notice = { tier: `year-${names}`, mark: 0.5, used: 5, limit: 10, label: 'label of ada', endsAt, digest };
    expect(heard).toEqual([notice]);
    expect(events).toEqual(heard);
    expect(digest).toMatch(/^[\w-]{22}$/);
    expect(new Date(endsAt).getUTCDate()).toBe(1);
  });

  it('gives one for the marks that a settlement and an extension reach', async () => {
    const { limiter, marks } = noticing(open());

    const decision = await limiter.consume('ada');
    await limiter.extend(decision, { [`year-${names}`]: 5 });
    await limiter.settle(decision, 10);

    expect(marks()).toEqual([0.5, 1]);
  });

  it('gives one beside a tier of concurrency', async () => {
    const marks: number[] = [];
    const key = (user: string) => user;
    const running = { name: `running-${place}`, algorithm: 'concurrency', limit: 2, key };
    const limiter = createLimiter<string>({
      store: open(),
      onNotice: ({ mark }) => void marks.push(mark),
      tiers: [running as never, { ...tier, name: `beside-${place}`, key } as never],
    });

    for (let request = 0; request < 5; request += 1) await limiter.release(await limiter.consume('ada'));

    expect(marks).toEqual([0.5]);
  });

  it('gives none again after a refund, and again after a reset', async () => {
    const { limiter, marks } = noticing(open());
    await limiter.refund(await limiter.consume('ada', { cost: 5 }));

    await limiter.consume('ada', { cost: 5 });
    await limiter.reset('ada');
    await limiter.consume('ada', { cost: 5 });

    expect(marks()).toEqual([0.5, 0.5]);
  });

  it('gives each of the requests of one turn its own', async () => {
    const { limiter, heard } = noticing(open());

    await Promise.all(Array.from({ length: 12 }, () => limiter.consume('ada')));

    expect(heard.map(({ mark, used }) => [mark, used])).toEqual([
      [0.5, 5],
      [1, 10],
    ]);
  });

  it('decides a request whose listener throws or rejects', async () => {
    const warned = jest.spyOn(process, 'emitWarning').mockImplementation();
    const { limiter } = noticing(open());
    const failing = createLimiter<string>({
      ...tier,
      store: open(),
      name: `failing-${place}`,
      limit: 2,
      key: (user: string) => user,
      onNotice: ({ mark }: Notice) => {
        if (mark === 1) return Promise.reject(new Error('no mail'));
        throw new Error('no mail');
      },
    } as never);

    const admitted = [await failing.consume('ada'), await failing.consume('ada')];
    await limiter.peek('ada');
    warned.mockRestore();

    expect(admitted.map(({ allowed }) => allowed)).toEqual([true, true]);
  });
});

describe('a limiter with notices on Redis', () => {
  const redis = withRedisStore();

  it.each([
    ['', (store: Store) => store],
    [', behind a store of the program that wraps that of Redis', wrapped],
  ])('gives the notice of a call whose reply was late%s', async (_case, behind) => {
    const client = new Redis(redis.server.port);
    const store = redisStore(client, { deadline: 5 });
    await store.ready();
    const { limiter, marks } = noticing(behind(store));
    // So that Redis knows the script.
    await until(async () => !(await limiter.consume('bob', { cost: 2 })).degraded);
    // Until the decision is there, however late a busy machine asks.
    await redis.client.client('PAUSE', 30_000, 'WRITE');

    const decision = await limiter.consume('ada', { cost: 5 });
    await redis.client.client('UNPAUSE');
    await until(() => marks().length > 0);

    await store.close();
    client.disconnect();
    expect(decision.degraded).toBe(true);
    expect(marks()).toEqual([0.5]);
  });

  it('gives none while it limits alone', async () => {
    const store = redisStore({ url: 'redis://127.0.0.1:1' }, { connectDeadline: 1 });
    const { limiter, marks } = noticing(store);

    const decision = await limiter.consume('ada', { cost: 9 });
    await limiter.close();
    await store.close();

    expect([decision.source, decision.allowed, marks()]).toEqual(['local', true, []]);
  });

  it('writes what was reported behind a count that a refund has lowered, until the end of the period', async () => {
    const { limiter, heard } = noticing(redis.store);
    const decision = await limiter.consume('ada', { cost: 5 });
    const { key } = (await limiter.inspect('ada'))[0]!;
    const read = async () => [await redis.client.get(key), await redis.client.pexpiretime(key)];
    const [value, ends] = await read();

    await limiter.settle(decision, 0);
    const settled = await read();
    await limiter.consume('ada');
    const charged = await read();
    await limiter.consume('ada', { cost: 5 });

    const empty = Number(value) - 5;
    expect(settled).toEqual([`${empty} 5`, ends]);
    expect(charged).toEqual([`${empty + 1} 5`, ends]);
    expect(await read()).toEqual([`${empty + 6}`, ends]);
    expect(ends).toBe(heard[0]!.endsAt);
  });

  it('goes on with a count that a refund has lowered when notices are removed, and when they come again', async () => {
    const { limiter, marks } = noticing(redis.store);
    await limiter.settle(await limiter.consume('ada', { cost: 6 }), 2);
    // Of a process that is started later.
    const client = new Redis(redis.server.port);
    const store = redisStore(client, { deadline: 10_000 });
    const without = noticing(store, { name: `year-${names}`, notices: undefined }).limiter;

    await without.consume('ada');
    await without.consume('ada', { cost: 2 });
    const { remaining } = (await limiter.consume('ada', { cost: 5 })).outcomes[0]!;
    await store.close();
    client.disconnect();

    expect([remaining, marks()]).toEqual([0, [0.5, 1]]);
  });

  it('decides requests of one turn for a key of which one plan gives notices and another does not', async () => {
    const marks: number[] = [];
    const key = ({ user }: { user: string }) => user;
    const { notices: _, ...plain } = { ...tier, name: 'year of plans', key };
    const plans = [[{ ...plain, notices: tier.notices }], [plain]] as never as readonly (readonly Tier<Planned>[])[];
    const limiter = createLimiter<Planned>({
      store: redis.store,
      tiers: ({ plan }) => plans[plan]!,
      plans,
      onNotice: ({ mark }) => void marks.push(mark),
    });

    const decisions = await Promise.all(
      [0, 1, 0, 1, 0].map((plan) => limiter.consume({ user: 'ada', plan }, { cost: 2 })),
    );

    expect(decisions.map(({ allowed, degraded }) => [allowed, degraded])).toEqual(decisions.map(() => [true, false]));
    expect(Math.min(...decisions.map(({ binding }) => binding!.remaining))).toBe(0);
    expect(marks.length).toBeLessThanOrEqual(2);
  });
});
