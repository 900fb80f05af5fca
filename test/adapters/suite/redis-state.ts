import { byApiKey, byHeader, memoryStore, subscribe, type Decision, type Store } from '@sluice/http';
import { redisStore } from '@sluice/redis';
import { newAddress, newName } from '../../support/identities.js';
import { commandsDuring } from '../../support/monitor.js';
import { limitFields, statusesOf } from '../../support/responses.js';
import { until } from '../../support/until.js';
import { openSite, siteOf, type World } from '../world.js';
import { CAPACITY, costing, costOf, policies } from './policies.js';

/** Seconds by which two times may differ: both clocks advance while the requests of a trace are sent. */
const MAX_DRIFT_S = 2;

const both = { headers: ['x-ratelimit', 'draft-11'] } as const;

/** Two windows, which a sliding window needs, and a moment. */
const MAX_TTL_MS = 2 * 3_600_000 + 1_000;

/** What Redis holds, and that its answers are those of memory. */
export function redisState(world: World): void {
  describe('the state in Redis', () => {
    const site = siteOf(world, () => ({
      routes: [
        ...policies.map(([name, tier]) => ({
          path: `/${name}`,
          limits: [{ tiers: [{ ...tier, name: `key-${name}`, key: byHeader('x-tenant') }] }],
        })),
        { path: '/skipped', limits: [{ name: 'skipped', limit: 1, window: '1h', skip: () => true }] },
        { path: '/key', limits: [{ name: 'api', limit: CAPACITY, window: '1h', key: byApiKey() }] },
      ],
    }));

    it('C43 is not read for a request that a limiter skips', async () => {
      const commands = await commandsDuring(world.redis!.server, () => site.sendTimes(2, { path: '/skipped' }));

      expect(commands.filter(({ name }) => name.startsWith('eval'))).toEqual([]);
    });

    it('C45 has one key of fixed length for each identity', async () => {
      await world.redis!.client.flushall();
      const names = ['}', '{', '{}', '}{', 'a:b', '__proto__', '*', 'x'.repeat(500)].map((end) => `${newName()}${end}`);

      await site.sendEach(names.map((name) => ({ path: '/key', headers: { 'X-Api-Key': name } })));

      const keys = await world.redis!.client.keys('*');
      expect(keys).toHaveLength(names.length);
      expect(keys.filter((key) => !/^rl:\{[\w-]{22}\}:api:[a-z]{2}\w{3}$/.test(key))).toEqual([]);
    });

    it.each(policies.map(([name]) => name))('C51 expires every key of a limit by %s', async (name) => {
      await world.redis!.client.flushall();

      await Promise.all(
        Array.from({ length: 20 }, () => site.send({ path: `/${name}`, headers: { 'X-Tenant': newName() } })),
      );

      const keys = await world.redis!.client.keys('*');
      const ttls = await Promise.all(keys.map((key) => world.redis!.client.pttl(key)));
      const max = name === 'multi-window' ? 3 * MAX_TTL_MS : MAX_TTL_MS;
      expect(ttls).toHaveLength(20);
      expect(ttls.filter((ttl) => ttl <= 0 || ttl > max)).toEqual([]);
    });

    it.each(policies)('C40 gives the same headers as memory, except for times, by %s', async (name, tier) => {
      const trace = async (store: Store) => {
        const each = await openSite(world.stack, {
          store,
          // The deny cache answers a higher cost with the wait of a lower one.
          routes: [{ path: '/', limits: [{ ...both, tiers: [{ ...tier, name }], cost: costOf, denyCache: false }] }],
        });
        const from = newAddress();
        const responses = await each.sendEach(
          [1, 0, 2, 3, 1, 6, 1, 1, 0, 2].map((units) => ({ ...costing(units), from })),
        );
        await each.close();
        return responses.map((response) => ({ status: response.status, ...limitFields(response) }));
      };

      const inMemory = await trace(memoryStore());
      const onRedis = await trace(world.newStore());

      expect(onRedis.map(withoutTimes)).toEqual(inMemory.map(withoutTimes));
      expect(onRedis.map(timesOf).filter((times, index) => !areClose(times, timesOf(inMemory[index]!)))).toEqual([]);
    });
  });

  it('counts Retry-After of a cached denial down without calling Redis', async () => {
    const store = redisStore({ url: world.redis!.server.url }, { deadline: '5s' });
    await store.ready();
    const minute = { name: 'minute', algorithm: 'fixed-window', limit: 1, window: '1m' } as const;
    const site = await openSite(world.stack, {
      store,
      routes: [{ path: '/', limits: [{ ...minute, ...both }] }],
    });
    const request = { from: newAddress() };
    await site.sendTimes(2, request);
    const decisions: Decision[] = [];
    const stop = subscribe('sluice:decision', ({ decision }) => decisions.push(decision));

    const first = await site.send(request);
    let last = first;
    await until(async () => {
      last = await site.send(request);
      return last.headers['retry-after'] !== first.headers['retry-after'];
    });

    stop();
    await site.close();
    await store.close();
    expect(new Set(decisions.map(({ source }) => source))).toEqual(new Set(['deny-cache']));
    expect(statusesOf([first, last])).toEqual([429, 429]);
    expect(Number(last.headers['retry-after'])).toBe(Number(first.headers['retry-after']) - 1);
    expect(last.headers['ratelimit']).toBe(`"minute";r=0;t=${last.headers['retry-after']}`);
  });
}

type Fields = Readonly<Record<string, string | number>>;

function withoutTimes({ 'x-ratelimit-reset': _reset, 'retry-after': wait, ratelimit = '', ...rest }: Fields): object {
  return { ...rest, waits: wait !== undefined, ratelimit: String(ratelimit).replaceAll(/;t=\d+/g, ';t=') };
}

function timesOf({ ratelimit, 'x-ratelimit-reset': reset, 'retry-after': wait = 0 }: Fields): number[] {
  const times = Array.from(String(ratelimit).matchAll(/;t=(\d+)/g), ([, t]) => Number(t));
  return [Number(reset), Number(wait), ...times];
}

function areClose(one: readonly number[], other: readonly number[]): boolean {
  return one.length === other.length && one.every((time, index) => Math.abs(time - other[index]!) <= MAX_DRIFT_S);
}
