import { createLimiter, limitersOf, memoryStore, subscribe, type Limiter, type Store } from '@sluice/core';
import { auditLog, openPolicies, redisPolicies, type Act } from '@sluice/policies';
import { actsOnClient, resetClient } from '@sluice/policies/operations';
import { redisStore, type RedisStore } from '@sluice/redis';
import { withCluster } from '../support/cluster.js';
import { patient } from '../support/patient.js';
import { withLimitsFile } from './with-limits-file.js';

interface Subject {
  readonly tenant: string;
}

const keys = { tenant: ({ tenant }: Subject) => tenant };
const TIER = { name: 'hour', key: ({ tenant }: Subject) => tenant, limit: 2, window: '1h' } as const;
const POLICIES = ['limits'];

/** Forgets a client as the dashboard and the command line do. */
async function forget(store: Store, limiter: Limiter<Subject>, author: { by?: string; id?: string }) {
  const [inspection] = await limiter.of('acme').inspect();
  const states = [{ tier: 'hour', key: inspection!.key }];
  const reset = () => limiter.of('acme').reset();
  return resetClient(store, states, { reason: 'ticket 4711', ...author, reset });
}

const actsOn = (store: Store, identity = 'acme') =>
  actsOnClient(store, limitersOf(store), { identity, policies: POLICIES });

/** Runs, and returns the acts that were published meanwhile. */
async function published(run: () => Promise<unknown>): Promise<readonly Act[]> {
  const acts: Act[] = [];
  const end = subscribe('sluice:audit', (act) => acts.push(act));
  await run();
  end();
  return acts;
}

describe('auditLog', () => {
  const redis = withLimitsFile();
  const opened: { close(): unknown }[] = [];

  afterEach(async () => {
    for (const each of opened.splice(0).toReversed()) await each.close();
  });

  function openStore(url = redis.server.url): RedisStore {
    const store = redisStore({ url }, patient);
    opened.push(store);
    return store;
  }

  async function openScene(store: Store) {
    const policies = await openPolicies<Subject>(redis.file, { keys, fleet: redisPolicies(store) });
    opened.push(policies);
    return { policies, limiter: policies.limiter('api', { store }) };
  }

  const override = { tier: 'hour', identity: 'acme', limit: 20, reason: 'ticket 4711', by: 'ada' };

  it('has who has overridden a limit, when and why, beside the override, in the list of the store and as event', async () => {
    const store = openStore();
    const { policies } = await openScene(store);

    const events = await published(() => policies.overrides.set({ ...override, until: '2999-01-31' }));
    const all = await auditLog(store).list();
    await redis.client.del('rl:{~audit}:acts');
    const own = await actsOn(store);

    expect(all).toEqual([
      {
        id: expect.stringMatching(/^[\w-]{16}$/) as string,
        at: expect.any(Number) as number,
        operation: 'override',
        by: 'ada',
        reason: 'ticket 4711',
        tiers: [{ tier: 'hour', digest: expect.stringMatching(/^[\w-]{22}$/) as string }],
        detail: { limit: 20, until: Date.parse('2999-02-01') },
      },
    ]);
    expect([events, own]).toEqual([all, all]);
    expect(JSON.stringify(all)).not.toContain('acme');
  });

  it('has the end of an override, and nothing of a removal that finds none or of a program without an author', async () => {
    const store = openStore();
    const { policies } = await openScene(store);
    const choice = { tier: 'hour', identity: 'acme' };

    await policies.overrides.remove(choice, { by: 'ada' });
    await policies.overrides.set({ ...override, by: undefined });
    await policies.overrides.remove(choice);
    await policies.overrides.set(override);
    await policies.overrides.remove(choice, { by: 'grace', reason: 'ticket 4712', operation: 'release' });

    const acts = await actsOn(store);
    expect(acts.map(({ operation, by, reason }) => [operation, by, reason])).toEqual([
      ['release', 'grace', 'ticket 4712'],
      ['override', 'ada', 'ticket 4711'],
    ]);
  });

  it('changes nothing for an id that it knows, and refuses the id of another change', async () => {
    const store = openStore();
    const { policies } = await openScene(store);
    const set = (limit: number) => policies.overrides.set({ ...override, limit }, { id: 'call-1' });
    await set(20);
    await policies.overrides.set({ ...override, limit: 30 }, { id: 'call-2' });

    const events = await published(() => set(20));

    expect(policies.overrides.list()).toMatchObject([{ limit: 30 }]);
    expect(events).toEqual([]);
    expect((await actsOn(store)).map(({ id }) => id)).toEqual(['call-2', 'call-1']);
    await expect(set(25)).rejects.toThrow('override: id names another change of this client: write a new id');
  });

  it('lets a change see what it replaces, and makes it only while Redis has that', async () => {
    const store = openStore();
    const { policies } = await openScene(store);
    const seen: (number | null | undefined)[] = [];
    const replacing = (held: { readonly limit: number | null } | undefined) => {
      seen.push(held?.limit);
      // Somebody else is faster once: this is sent first on the same connection.
      if (seen.length === 1) void policies.overrides.set({ ...override, limit: 30 });
      if (held?.limit === 40) throw new Error('not 40');
    };

    await policies.overrides.set({ ...override, limit: 25 }, { replacing });
    await policies.overrides.set({ ...override, limit: 40 });
    const refused = [
      policies.overrides.set({ ...override, limit: 50 }, { replacing }),
      policies.overrides.remove({ tier: 'hour', identity: 'acme' }, { by: 'ada', replacing }),
    ];

    for (const each of refused) await expect(each).rejects.toThrow('not 40');
    expect(seen).toEqual([undefined, 30, 40, 40]);
    expect((await actsOn(store)).map(({ detail }) => detail)).toEqual([{ limit: 40 }, { limit: 25 }, { limit: 30 }]);
  });

  it.each([
    ['memory', () => memoryStore()],
    ['Redis', () => openStore()],
  ])('has who has forgotten a client, once for an id, in %s', async (_name, open) => {
    const store = open();
    const limiter = createLimiter({ store, tiers: [TIER] });
    const use = async () => {
      await limiter.consume({ tenant: 'acme' });
      await limiter.consume({ tenant: 'acme' });
      return (await limiter.consume({ tenant: 'acme' })).allowed;
    };
    await use();

    const events = await published(() => forget(store, limiter, { by: 'ada', id: 'call-1' }));
    const after = [(await limiter.peek({ tenant: 'acme' })).allowed, await use()];
    const again = await forget(store, limiter, { by: 'ada', id: 'call-1' });

    expect(after).toEqual([true, false]);
    expect(again).toMatchObject([{ isNew: false }]);
    expect((await limiter.peek({ tenant: 'acme' })).allowed).toBe(false);
    expect(events).toMatchObject([{ id: 'call-1', operation: 'forget', by: 'ada', reason: 'ticket 4711' }]);
    expect([await auditLog(store).list(), await actsOn(store)]).toEqual([events, events]);
    expect(await actsOn(store, 'other')).toEqual([]);
    await limiter.close();
    if (_name === 'memory') await store.close();
  });

  it('loses no act of a client with a process that ends before the list of the store has it', async () => {
    const store = openStore();
    const limiter = createLimiter({ store, tiers: [TIER] });
    await redis.client.call('ACL', 'SETUSER', 'desk', 'reset', 'on', '>pepper', '~rl:*', '+@all', '-zadd');
    const url = redis.server.url.replace('redis://', 'redis://desk:pepper@');
    const other = openStore(url);
    const desk = createLimiter({ store: other, tiers: [TIER] });

    await forget(other, desk, { by: 'ada', id: 'call-1' });
    const [lost, own] = [await auditLog(store).list(), await actsOn(store)];
    await redis.client.call('ACL', 'SETUSER', 'desk', '+zadd');
    await forget(other, desk, { by: 'grace', id: 'call-2' });
    await auditLog(other).acts.sent();
    const mended = await auditLog(store).list();

    expect(lost).toEqual([]);
    expect(own.map(({ id }) => id)).toEqual(['call-1']);
    expect(mended.map(({ id, by }) => [id, by])).toEqual([
      ['call-2', 'grace'],
      ['call-1', 'ada'],
    ]);
    await Promise.all([limiter.close(), desk.close()]);
  });

  it('has the last 50 acts of a client and the last 1 000 of a store, each once', async () => {
    const store = openStore();
    const limiter = createLimiter({ store, tiers: [TIER] });
    const { acts } = auditLog(store);
    const tiers = [{ tier: 'hour', digest: 'h_tHdlBEhrTvc25VMm8vk-' }];
    const add = (first: number, last: number) => {
      for (let at = first; at <= last; at += 1) acts.add({ id: `a${at}`, at, operation: 'forget', tiers });
      return acts.sent();
    };
    await add(1, 500);
    await add(501, 1_010);
    acts.add({ id: 'a1010', at: 1_010, operation: 'forget', tiers });
    await acts.sent();

    const all = await acts.all();
    for (let index = 1; index <= 53; index += 1) await forget(store, limiter, { by: 'ada', id: `b${index}` });
    await redis.client.del('rl:{~audit}:acts');
    const own = await actsOn(store);

    expect(all.map(({ at }) => at)).toEqual(Array.from({ length: 1_000 }, (_, index) => 1_010 - index));
    expect(own.map(({ id }) => id)).toEqual(Array.from({ length: 50 }, (_, index) => `b${53 - index}`));
    await limiter.close();
  });

  it('has each applied text, and lists acts by their author and from a moment on', async () => {
    const store = openStore();
    const { policies, limiter } = await openScene(store);
    const fleet = redisPolicies(store);
    const text = 'version: 1\nlimiters: { api: { tiers: [{ name: hour, key: tenant, limit: 7, window: 1h }] } }\n';

    await fleet.apply({ text, expected: 0, by: 'ada', reason: 'launch' });
    const [applied] = await auditLog(store).list();
    await policies.overrides.set({ ...override, by: 'grace' });
    const others = await auditLog(store).list({ by: 'grace' });
    const since = await auditLog(store).list({ since: others[0]!.at });

    expect(applied).toMatchObject({
      operation: 'apply',
      by: 'ada',
      reason: 'launch',
      tiers: [],
      detail: { policies: 'limits', version: 1 },
    });
    expect(others).toMatchObject([{ operation: 'override', by: 'grace' }]);
    expect(since).toEqual(others);
    await limiter.close();
  });

  it('replaces what another program has written in place of its lists, and reads nothing from it', async () => {
    const store = openStore();
    const limiter = createLimiter({ store, tiers: [TIER] });
    const owner = `rl:{${limitersOf(store)[0]!.digestOf('acme')}}`;
    await redis.client.set('rl:{~audit}:acts', 'x');
    await redis.client.set(`${owner}:acts`, 'x');

    const before = await actsOn(store);
    await forget(store, limiter, { by: 'ada', id: 'call-1' });
    await redis.client.lpush(`${owner}:acts`, 'no JSON', '{"id":5}');

    expect(before).toEqual([]);
    expect(await actsOn(store)).toMatchObject([{ id: 'call-1' }]);
    await limiter.close();
  });
});

describe('auditLog on a Cluster', () => {
  const opened = withCluster();

  it('has the acts on a client, which are on two servers, and those of the store, which are on a third one', async () => {
    const store = redisStore({ cluster: opened.cluster.startupNodes }, patient);
    const limiter = createLimiter({ store, tiers: [TIER] });
    const digest = limitersOf(store)[0]!.digestOf('acme');
    await limiter.consume({ tenant: 'acme' });

    await forget(store, limiter, { by: 'ada', id: 'call-1' });
    const act = { id: 'call-2', operation: 'override', by: 'ada', tiers: [{ tier: 'hour', digest }] } as const;
    await redisPolicies(store).overrides.set({ tier: 'hour', digest, limit: 5, reason: 'x' }, { act });
    const all = await auditLog(store).list();
    await opened.client.del('rl:{~audit}:acts');
    const own = await actsOn(store);

    expect(all.map(({ id }) => id).toSorted()).toEqual(['call-1', 'call-2']);
    expect(own.map(({ id }) => id).toSorted()).toEqual(['call-1', 'call-2']);
    await limiter.close();
    await store.close();
  });
});
