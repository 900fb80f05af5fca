import { createHash } from 'node:crypto';
import { redisStore, type RedisStore } from '@sluice/redis';
import { openPolicies, redisPolicies, type Policies, type PoliciesOptions } from '@sluice/policies';
import { patient } from '../support/patient.js';
import { textOf } from './text-of.js';
import { withLimitsFile } from './with-limits-file.js';

interface Subject {
  readonly tenant: string;
}

const keys = { tenant: ({ tenant }: Subject) => tenant };
const by = { by: 'ada', reason: 'ticket 1' };
const KEY = 'rl:{~policies}:limits';

describe('policies in a Redis that loses data', () => {
  const redis = withLimitsFile();
  const opened: { close(): unknown }[] = [];
  let store: RedisStore;

  function openStore(): RedisStore {
    const made = redisStore({ url: redis.server.url }, patient);
    opened.push(made);
    return made;
  }

  beforeEach(() => {
    store = openStore();
  });

  afterEach(async () => {
    for (const each of opened.splice(0).toReversed()) await each.close();
  });

  async function openProcess(options: PoliciesOptions<Subject> = {}) {
    const own = openStore();
    const policies = await openPolicies<Subject>(redis.file, { keys, fleet: redisPolicies(own), ...options });
    opened.push(policies);
    policies.limiter('api', { store: own });
    return policies;
  }

  const limitsOf = (policies: Policies<Subject>) =>
    policies.overrides
      .list()
      .map(({ limit }) => limit!)
      .toSorted((one, other) => one - other);

  const set = (policies: Policies<Subject>, identity: string, limit: number) =>
    policies.overrides.set({ tier: 'hour', identity, limit, ...by });

  /** Two processes read Redis, one after the other, twice. */
  async function twice(...all: readonly Policies<Subject>[]): Promise<void> {
    for (let round = 0; round < 2; round += 1) for (const each of all) await each.refresh();
  }

  /** What a replica has that lacks all later writes. */
  async function snapshot(): Promise<() => Promise<void>> {
    const names = await redis.client.keys(`${KEY}*`);
    const dumps = await Promise.all(names.map(async (name) => [name, await redis.client.dumpBuffer(name)] as const));
    return async () => {
      await redis.client.flushall();
      for (const [name, dump] of dumps) await redis.client.restore(name, 0, dump);
    };
  }

  it('lets the removal of an override stand that a failover loses', async () => {
    const [one, other] = [await openProcess(), await openProcess()];
    await set(one, 'acme', 1_000_000);
    await twice(other);
    const failOver = await snapshot();
    await one.overrides.remove({ tier: 'hour', identity: 'acme' });
    await twice(other);

    await failOver();
    await twice(one, other);
    const late = await openProcess();

    expect([one, other, late].map(limitsOf)).toEqual([[], [], []]);
    expect(await redis.client.hgetall(`${KEY}:overrides`)).toEqual({});
  });

  it('lets a text stand that an operator applies after a loss, under a version above the lost one', async () => {
    const [one, other] = [await openProcess(), await openProcess()];
    const fleet = redisPolicies(store);
    for (let version = 0; version < 3; version += 1)
      await fleet.apply({ text: textOf(20 + version), expected: version, ...by });
    await twice(one, other);

    await redis.client.flushall();
    const applied = await fleet.apply({ text: textOf(7), expected: 0, ...by });
    await twice(one, other);
    const state = await fleet.read();

    expect(applied).toMatchObject({ version: 1 });
    expect(state).toMatchObject({ version: 4, text: { text: textOf(7), ...by } });
    expect([one, other].map((each) => each.status().version)).toEqual([4, 4]);
    expect((await fleet.history()).map(({ version }) => version)).toContain(4);
  });

  it('keeps one version in all processes of an older release where a failover loses the one that they understand', async () => {
    const [ahead, behind] = [await openProcess(), await openProcess()];
    const young = await openProcess({ keys: { ...keys, account: ({ tenant }) => tenant } });
    const fleet = redisPolicies(store);
    const youngText = (limit: number) => textOf(limit).replace('key: tenant', 'key: account');
    await fleet.apply({ text: textOf(20), expected: 0, ...by });
    await twice(ahead, behind, young);
    const failOver = await snapshot();
    for (const [expected, text] of [textOf(30), youngText(40)].entries()) {
      await fleet.apply({ text, expected: expected + 1, ...by });
      await twice(ahead, young);
    }

    await failOver();
    const applied = await fleet.apply({ text: youngText(50), expected: 1, ...by });
    await twice(behind, young, ahead);
    const late = await openProcess();

    expect(applied).toMatchObject({ version: 2 });
    expect(young.status()).toMatchObject({ version: 4, sha: shaOf(youngText(50)) });
    const old = { version: 2, sha: shaOf(textOf(30)) };
    expect([ahead, behind, late].map((each) => each.status())).toMatchObject([old, old, old]);
    expect(await fleet.text(2)).toBe(youngText(50));
    expect((await fleet.history()).map(({ version }) => version)).toEqual([4, 2, 2, 1]);
  });

  it('joins an override that is set after a loss with those that processes remember', async () => {
    const [one, other] = [await openProcess(), await openProcess()];
    await set(one, 'acme', 2_000);
    await twice(other);

    await redis.client.flushall();
    const writer = await openProcess();
    await set(writer, 'carl', 9);
    await twice(one, other, writer);

    expect([one, other, writer, await openProcess()].map(limitsOf)).toEqual(
      Array.from({ length: 4 }, () => [9, 2_000]),
    );
  });

  it('joins two changes of the same number after a failover', async () => {
    const [one, other] = [await openProcess(), await openProcess()];
    const failOver = await snapshot();
    await set(one, 'acme', 2_000);
    await twice(other);

    await failOver();
    await set(await openProcess(), 'carl', 9);
    await twice(one, other);

    expect([one, other].map(limitsOf)).toEqual([
      [9, 2_000],
      [9, 2_000],
    ]);
  });

  it('starts a process of an older release with the newest version that it understands, before its file', async () => {
    const fleet = redisPolicies(store);
    await fleet.apply({ text: textOf(5), expected: 0, ...by });
    await fleet.apply({ text: textOf(4), expected: 1, ...by });
    const young = textOf(3).replace('key: tenant', 'key: account');
    await fleet.apply({ text: young, expected: 2, ...by });

    const old = await openProcess();

    expect(old.status()).toMatchObject({ source: 'redis', version: 2, problem: expect.stringContaining('limits v3:') });
    expect(old.status().sha).toBe((await fleet.history())[1]!.sha);
  });

  it.each<[string, () => Promise<unknown>]>([
    ['a version that is no number', () => redis.client.hset(KEY, 'version', 'abc')],
    ['a version beyond all integers', () => redis.client.hset(KEY, 'version', '1e300')],
    ['a text without its version', () => redis.client.hdel(KEY, 'version')],
    ['a version without its text', () => redis.client.hdel(KEY, 'text')],
    ['another text', () => redis.client.hset(KEY, 'text', 'version: 1')],
    ['a last change that is none', () => redis.client.hset(KEY, 'head', 'x')],
    ['a last change beyond all integers', () => redis.client.hset(KEY, 'head', '1e300 x')],
    ['no epoch', () => redis.client.hdel(KEY, 'epoch')],
    ...['', ':overrides', ':changes', ':history', ':processes'].flatMap((part): [string, () => Promise<unknown>][] => [
      [`a text in place of ${KEY}${part}`, () => redis.client.set(`${KEY}${part}`, 'x')],
      [
        `a set in place of ${KEY}${part}`,
        async () => {
          await redis.client.del(`${KEY}${part}`);
          await redis.client.zadd(`${KEY}${part}`, 1, 'x');
        },
      ],
    ]),
  ])('mends %s', async (_what, spoil) => {
    const one = await openProcess();
    const fleet = redisPolicies(store);
    await fleet.apply({ text: textOf(5), expected: 0, ...by });
    await set(one, 'acme', 20);
    await one.refresh();

    await spoil();
    await twice(one);
    const { version } = await fleet.read();
    const applied = await fleet.apply({ text: textOf(6), expected: version, ...by });
    await twice(one);
    const late = await openProcess();

    expect(applied).toEqual({ version: version + 1, sha: expect.any(String) });
    for (const each of [one, late]) {
      expect(each.status()).toMatchObject({ version: version + 1, sha: shaOf(textOf(6)), problem: undefined });
    }
    expect([one, late].map(limitsOf)).toEqual([[20], [20]]);
    expect((await fleet.processes()).length).toBeGreaterThan(0);
  });

  it.each<[string, () => Promise<unknown>]>([
    ['a version that is no number', () => redis.client.hset(KEY, 'version', 'abc')],
    ['a version beyond all integers', () => redis.client.hset(KEY, 'version', '1e300')],
    ['a list in place of the hash', () => redis.client.rpush(KEY, 'x')],
  ])('lets an operator apply a text over %s, while no process runs', async (_what, spoil) => {
    await spoil();
    const fleet = redisPolicies(store);

    const { version } = await fleet.read();
    const applied = await fleet.apply({ text: textOf(6), expected: version, ...by });

    expect([version, applied]).toEqual([0, { version: 1, sha: expect.any(String) }]);
    expect((await openProcess()).status()).toMatchObject({ version: 1, problem: undefined });
  });

  it('takes what an earlier version has written, and gives it an epoch', async () => {
    const field = 'ZMvGnhCVdw06SvfB5KLBfA hour';
    const fleet = redisPolicies(store);
    await fleet.apply({ text: textOf(5), expected: 0, ...by });
    await redis.client.hdel(KEY, 'epoch', 'head');
    await redis.client.del(`${KEY}:changes`);
    await redis.client.hset(KEY, 'overrides', '1');
    await redis.client.hset(`${KEY}:overrides`, field, '{"limit":7,"reason":"ticket 2"}');

    const one = await openProcess();
    await twice(one);

    expect(one.status()).toMatchObject({ version: 1, overrides: 1, problem: undefined });
    expect(one.overrides.list()).toEqual([expect.objectContaining({ limit: 7, reason: 'ticket 2' })]);
    expect(await redis.client.hmget(KEY, 'epoch', 'head')).toEqual([expect.any(String), expect.any(String)]);
  });

  it('says that Redis has more overrides than it reads', async () => {
    const one = await openProcess();
    const pairs = Array.from({ length: 10_005 }, (_, index) => [
      `${String(index).padStart(22, '0')} hour`,
      '{"limit":7,"reason":"x"}',
    ]).flat();
    await redis.client.hset(`${KEY}:overrides`, ...pairs);
    await set(one, 'acme', 1).catch(() => undefined);
    await twice(one);

    expect(one.status().problem).toContain('Redis has 10005 overrides, and at most 10000 are read');
  });
});

function shaOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
