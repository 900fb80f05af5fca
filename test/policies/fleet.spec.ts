import { writeFileSync } from 'node:fs';
import { memoryStore, type Limiter } from '@sluice/core';
import { redisStore, type RedisStore } from '@sluice/redis';
import { openPolicies, redisPolicies, type Policies, type PoliciesOptions } from '@sluice/policies';
import { patient } from '../support/patient.js';
import { startCluster } from '../support/cluster.js';
import { startRedis } from '../support/redis.js';
import { untilAnswered } from '../support/until.js';
import { within } from '../support/within.js';
import { textOf } from './text-of.js';
import { withLimitsFile } from './with-limits-file.js';

interface Subject {
  readonly tenant: string;
}

const keys = { tenant: ({ tenant }: Subject) => tenant };

describe('redisPolicies', () => {
  const redis = withLimitsFile();
  const opened: { close(): unknown }[] = [];

  afterEach(async () => {
    for (const each of opened.splice(0).toReversed()) await each.close();
  });

  function openStore(where: object = { url: redis.server.url }): RedisStore {
    const store = redisStore(where, patient);
    opened.push(store);
    return store;
  }

  /** A process: its policies, limiter and what it has left. */
  async function openProcess(store = openStore(), options: PoliciesOptions<Subject> = {}) {
    const policies = await openPolicies<Subject>(redis.file, { keys, fleet: redisPolicies(store), ...options });
    opened.push(policies);
    const limiter = policies.limiter('api', { store });
    const left = async (tenant = 'acme') => (await limiter.peek({ tenant })).outcomes[0]!.remaining;
    return { policies, limiter, left };
  }

  const by = { by: 'ada', reason: 'ticket 1' };
  const refreshed = (...all: readonly { readonly policies: Policies<Subject> }[]) =>
    Promise.all(all.map(({ policies }) => policies.refresh()));

  async function spend(limiter: Limiter<Subject>, units: number): Promise<void> {
    for (let unit = 0; unit < units; unit += 1) await limiter.consume({ tenant: 'acme' });
  }

  it('puts a text in force in all processes, in place of their files, with the counts', async () => {
    const [one, other] = [await openProcess(), await openProcess()];
    const fleet = redisPolicies(openStore());
    await spend(one.limiter, 4);

    const applied = await fleet.apply({ text: textOf(6), expected: 0, ...by });
    await refreshed(one, other);
    writeFileSync(redis.file, textOf(100));
    await refreshed(one, other);
    const late = await openProcess();

    expect(applied).toMatchObject({ version: 1 });
    expect([await one.left(), await other.left(), await late.left()]).toEqual([2, 2, 2]);
    expect(late.policies.status()).toMatchObject({ source: 'redis', version: 1, problem: undefined });
    const seen = (await fleet.processes()).map(({ version, pid }) => [version, pid]);
    expect(seen).toEqual(Array.from({ length: 3 }, () => [1, process.pid]));
  });

  it('admits at most both limits, while processes have different windows', async () => {
    const [young, old] = [await openProcess(), await openProcess()];
    await spend(old.limiter, 4);
    await redisPolicies(openStore()).apply({ text: textOf(7, '2h'), expected: 0, ...by });
    await refreshed(young);

    let admitted = 4;
    for (let request = 0; request < 20; request += 1) {
      const { limiter } = request % 2 === 0 ? young : old;
      if ((await limiter.consume({ tenant: 'acme' })).allowed) admitted += 1;
    }

    expect(admitted).toBe(10 + 7);
  });

  it('lets one of two authors of the same version win', async () => {
    const fleet = redisPolicies(openStore());

    const results = await Promise.all(
      [textOf(1), textOf(2)].map((text) => fleet.apply({ text, expected: 0, by: 'ada', reason: 'race' })),
    );

    expect(results).toEqual(
      expect.arrayContaining([
        { version: 1, sha: expect.any(String) },
        { conflict: 1, by: 'ada', reason: 'race' },
      ]),
    );
    expect(await fleet.history()).toHaveLength(1);
  });

  it('stays with the last text that the code of a process takes, and says so to the fleet', async () => {
    const old = await openProcess();
    const young = await openProcess(undefined, { keys: { ...keys, account: ({ tenant }) => tenant } });
    const fleet = redisPolicies(openStore());
    await fleet.apply({ text: textOf(5), expected: 0, ...by });
    await refreshed(old, young);

    await fleet.apply({ text: textOf(3).replace('key: tenant', 'key: account'), expected: 1, ...by });
    await refreshed(old, young);
    await refreshed(old, young);
    const processes = await fleet.processes();

    expect([await old.left(), await young.left()]).toEqual([5, 3]);
    expect(old.policies.status()).toMatchObject({ version: 1, rejected: 1 });
    const facts = processes.map(({ version, problem = '' }) => [
      version,
      /limits v2:5:\d+ tier "hour": key must be/.test(problem),
    ]);
    expect(facts.toSorted(([one], [other]) => Number(one) - Number(other))).toEqual([
      [1, true],
      [2, false],
    ]);
  });

  it('lists the last 50 versions, and has their texts', async () => {
    const fleet = redisPolicies(openStore());
    for (let version = 0; version < 52; version += 1) {
      await fleet.apply({ text: textOf(version + 1), expected: version, by: 'ada', reason: `limit ${version + 1}` });
    }

    const history = await fleet.history();

    expect(history).toHaveLength(50);
    expect(history[0]).toMatchObject({
      version: 52,
      by: 'ada',
      reason: 'limit 52',
      sha: expect.stringMatching(/^[\da-f]{64}$/),
    });
    expect([await fleet.text(51), await fleet.text(1)]).toEqual([textOf(51), undefined]);
  });

  it('writes back what Redis has lost, also overrides', async () => {
    const one = await openProcess();
    const fleet = redisPolicies(openStore());
    await fleet.apply({ text: textOf(5), expected: 0, ...by });
    await one.policies.refresh();
    await one.policies.overrides.set({ tier: 'hour', identity: 'globex', limit: 50, reason: 'ticket 2' });

    await redis.client.flushall();
    const meanwhile = await one.left();
    await one.policies.refresh();
    const late = await openProcess();

    expect(meanwhile).toBe(5);
    expect([await late.left(), await late.left('globex')]).toEqual([5, 50]);
    expect(await fleet.read()).toMatchObject({ version: 1, text: { ...by, text: textOf(5) } });
  });

  it('starts with the file while Redis is away, and goes on while it is', async () => {
    const away = await startRedis();
    const store = openStore({ url: away.url });
    await away.stop();

    const { policies, limiter } = await openProcess(store);
    await expect(policies.refresh()).rejects.toThrow('Redis cannot be reached');

    expect(policies.status()).toMatchObject({
      source: 'file',
      problem: expect.stringContaining('Redis cannot be reached'),
    });
    expect((await limiter.consume({ tenant: 'acme' })).allowed).toBe(true);
  });

  it('decides by its deadline while Redis is frozen, with the version before, and takes the next one after it', async () => {
    const frozen = await startRedis();
    const store = redisStore({ url: frozen.url }, { deadline: '100ms' });
    // Closed in the reverse order.
    opened.push({ close: () => frozen.stop() }, store);
    await store.ready();
    const { policies, limiter } = await openProcess(store);
    const fleet = redisPolicies(store);
    await fleet.apply({ text: textOf(5), expected: 0, ...by });
    await policies.refresh();

    frozen.process.kill('SIGSTOP');
    const late = policies.refresh().catch((error: Error) => error.message);
    const sources = new Set<string>();
    for (let request = 0; request < 20; request += 1) {
      // Far below the two seconds that the policies wait for.
      sources.add((await within(1_000, () => limiter.consume({ tenant: `tenant-${request}` }))).source);
    }
    const problem = await late;
    const during = policies.status();
    frozen.process.kill('SIGCONT');
    // The client may have to connect again first.
    await untilAnswered(() => fleet.apply({ text: textOf(7), expected: 1, ...by }));
    await untilAnswered(() => policies.refresh());

    expect([...sources]).toEqual(['local']);
    expect([problem, during.problem]).toEqual(Array(2).fill(expect.stringContaining('Redis cannot be reached')));
    expect([during.version, policies.status().version]).toEqual([1, 2]);
  });

  it('gives one client another limit in all processes, until it ends or is removed', async () => {
    const [one, other] = [await openProcess(), await openProcess()];
    await spend(one.limiter, 10);
    const denied = await other.limiter.consume({ tenant: 'acme' });

    await one.policies.overrides.set({
      tier: 'hour',
      identity: 'acme',
      limit: 15,
      until: Date.now() + 3.6e6,
      reason: 'ticket 2',
    });
    await refreshed(other);
    const raised = [await one.left(), await other.left(), await other.left('globex')];
    const admitted = await other.limiter.consume({ tenant: 'acme' });
    const list = other.policies.overrides.list();
    const removed = [
      await other.policies.overrides.remove({ tier: 'hour', identity: 'acme' }),
      await one.policies.overrides.remove({ tier: 'hour', identity: 'acme' }),
    ];
    await refreshed(one);

    expect([denied.allowed, admitted.allowed]).toEqual([false, true]);
    expect(raised).toEqual([5, 5, 10]);
    expect(list).toEqual([expect.objectContaining({ tier: 'hour', limit: 15, reason: 'ticket 2' })]);
    expect(removed).toEqual([true, false]);
    expect((await one.limiter.peek({ tenant: 'acme' })).allowed).toBe(false);
    // Redis has digests alone.
    expect(JSON.stringify(await redis.client.hgetall('rl:{~policies}:limits:overrides'))).not.toContain('acme');
  });

  it('lets an override of an operator win over one of the text, which comes back', async () => {
    const text = `${textOf(10)}overrides:\n  - { tier: hour, identity: acme, limit: 20, reason: contract }\n`;
    const one = await openProcess();
    await redisPolicies(openStore()).apply({ text, expected: 0, ...by });
    await refreshed(one);
    const before = await one.left();

    await one.policies.overrides.set({ tier: 'hour', identity: 'acme', limit: 30, reason: 'ticket 3' });
    const during = await one.left();
    await one.policies.overrides.remove({ tier: 'hour', identity: 'acme' });

    expect([before, during, await one.left()]).toEqual([20, 30, 20]);
  });

  it('has an override of a tier wait for the tier', async () => {
    const one = await openProcess();
    await one.policies.overrides.set({ tier: 'hour', identity: 'acme', limit: 30, reason: 'ticket 3' });
    const fleet = redisPolicies(openStore());

    await fleet.apply({ text: textOf(10).replace('hour', 'other'), expected: 0, ...by });
    await refreshed(one);
    const without = await one.left();
    await fleet.apply({ text: textOf(10), expected: 1, ...by });
    await refreshed(one);

    expect([without, await one.left()]).toEqual([10, 30]);
    expect(one.policies.status().problem).toBeUndefined();
  });

  it.each<[string, () => unknown, string]>([
    ['a store in memory', () => redisPolicies(memoryStore()), 'redisPolicies: store must be a redisStore'],
    ['a name', () => redisPolicies(openStore(), { name: 'a b' }), 'redisPolicies: name must be 1 to 64 of'],
    ['an option', () => redisPolicies(openStore(), { nam: 'a' } as never), 'did you mean name?'],
  ])('refuses %s', (_what, make, message) => {
    expect(make).toThrow(message);
  });

  it.each<[string, object, string]>([
    ['a tier', { tier: 'hours' }, 'override: tier must be one of'],
    ['a limit', { limit: -1 }, 'override: limit must be an integer of at least 0'],
    ['an end', { until: '2020-01-01' }, 'until must be in the future'],
    ['a reason', { reason: undefined }, 'override: reason is missing'],
  ])('refuses %s of an override, and stores nothing', async (_what, change, message) => {
    const { policies } = await openProcess();
    const override = { tier: 'hour', identity: 'acme', limit: 5, reason: 'ticket', ...change };

    await expect(policies.overrides.set(override)).rejects.toThrow(message);
    expect(await redis.client.keys('rl:{~policies}:limits*')).toEqual(['rl:{~policies}:limits:processes']);
  });

  it('works on a Cluster', async () => {
    const cluster = await startCluster({ primaries: 2 });
    const store = openStore({ cluster: cluster.startupNodes });
    await store.ready();
    const one = await openProcess(store);

    await redisPolicies(store).apply({ text: textOf(5), expected: 0, ...by });
    await one.policies.overrides.set({ tier: 'hour', identity: 'globex', limit: 50, reason: 'ticket 2' });

    expect([await one.left(), await one.left('globex')]).toEqual([5, 50]);
    for (const each of opened.splice(0).toReversed()) await each.close();
    await cluster.stop();
  });
});
