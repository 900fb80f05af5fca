import { createLimiter, limitersOf, StoreError, subscribe, type Limiter } from '@sluice/core';
import { auditLog, redisPolicies, type Act } from '@sluice/policies';
import { FleetOverrides, resetClient } from '@sluice/policies/operations';
import { overridesOf } from '@sluice/policies/overrides';
import { balance, creditsOf } from '@sluice/quotas';
import { redisStore, type RedisStore } from '@sluice/redis';
import { forgetScript } from '../../packages/policies/src/audit/act-scripts.js';
import { applyScript } from '../../packages/policies/src/fleet/scripts.js';
import { patient } from '../support/patient.js';
import { withRedis } from '../support/redis-store.js';
import { until } from '../support/until.js';
import { wireTo, type Wire } from '../support/wire.js';

const HOUR_MS = 3_600_000;
const STORE_ACTS = 'rl:{~audit}:acts';
const TEXT = 'version: 1\nlimiters: { api: { tiers: [{ name: hour, key: tenant, limit: 7, window: 1h }] } }\n';

interface Desk {
  readonly store: RedisStore;
  readonly limiter: Limiter<string>;
}

const author = { by: 'ada', reason: 'ticket 4711' };
const target = { tier: 'hour', identity: 'acme' };

function overridesIn({ store, limiter }: Desk): FleetOverrides {
  const check = (options: never) => overridesOf(limiter).check(options);
  return new FleetOverrides({ redis: redisPolicies(store), check, list: () => overridesOf(limiter).list() });
}

async function forget({ store, limiter }: Desk, id: string): Promise<unknown> {
  const [view] = limitersOf(store);
  const owner = `rl:{${view!.digestOf('acme')}}`;
  const states = [{ tier: 'hour', key: `${owner}:hour:sw` }];
  return resetClient(store, states, { ...author, id, reset: () => limiter.of('acme').reset({ tiers: ['hour'] }) });
}

/** Each act of a person, by an id. */
const ACTS: readonly [operation: Act['operation'], run: (desk: Desk, id: string) => Promise<unknown>][] = [
  ['override', (desk, id) => overridesIn(desk).set({ ...target, limit: 20, ...author }, { id })],
  ['end-override', (desk, id) => overridesIn(desk).remove(target, { ...author, id })],
  ['forget', forget],
  ['credit', ({ limiter }, id) => creditsOf(limiter).credit('acme', 5, { id, ...author })],
  ['debit', ({ limiter }, id) => creditsOf(limiter).debit('acme', 5, { id, ...author })],
  [
    'reconcile',
    ({ limiter }) => {
      const asOf = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
      return creditsOf(limiter).reconcile('acme', 9, { asOf, ...author });
    },
  ],
  ['apply', ({ store }) => redisPolicies(store).apply({ text: TEXT, expected: 0, ...author })],
];

describe('an act whose reply was lost', () => {
  const redis = withRedis();
  const opened: (() => unknown)[] = [];
  let wire: Wire;
  let witness: RedisStore;

  beforeEach(async () => {
    await redis.client.flushall();
    wire = await wireTo(redis.server);
    witness = redisStore({ url: redis.server.url }, patient);
    opened.push(
      () => wire.close(),
      () => witness.close(),
    );
  });

  afterEach(async () => {
    for (const close of opened.splice(0).toReversed()) await close();
  });

  function openDesk(url: string): Desk {
    const store = redisStore({ url }, patient);
    const key = (tenant: string) => tenant;
    const tiers = [
      { name: 'hour', key, limit: 9, window: '1h' },
      { name: 'credits', key, algorithm: balance() },
    ] as const;
    const limiter = createLimiter<string>({ store, tiers });
    opened.push(
      () => store.close(),
      () => limiter.close(),
    );
    auditLog(store);
    return { store, limiter };
  }

  /** What there is to end, and a connection with all scripts. */
  async function prepare(desk: Desk): Promise<void> {
    await overridesIn(desk).set({ ...target, limit: 5, reason: 'earlier' });
    await creditsOf(desk.limiter).credit('acme', 100, { id: 'earlier' });
    await desk.limiter.of('acme').inspect();
    // Else the lost reply would be that no such script is known.
    for (const { source } of [forgetScript, applyScript]) await redis.client.script('LOAD', source);
  }

  const actsOf = async (operation: Act['operation']) =>
    (await auditLog(witness).list()).filter((act) => act.operation === operation);

  it.each(ACTS)(
    'is in the list of the store and on sluice:audit once, if the process goes on: %s',
    async (name, run) => {
      const desk = openDesk(wire.url);
      const events: Act[] = [];
      const end = subscribe('sluice:audit', (act) => events.push(act));
      await prepare(desk);
      const before = await redis.client.info('commandstats');

      wire.swallowReplies();
      const lost = expect(run(desk, 'call-1')).rejects.toThrow(StoreError);
      await until(async () => scriptsIn(await redis.client.info('commandstats')) > scriptsIn(before));
      wire.cut();
      await lost;
      const found = async () => {
        await auditLog(desk.store).sent();
        return (await actsOf(name)).length > 0;
      };
      await until(found);
      // A repetition finds the act.
      if (name !== 'reconcile') await run(desk, 'call-1');
      await auditLog(desk.store).sent();
      end();

      expect(await actsOf(name)).toMatchObject([author]);
      expect(events.filter(({ operation }) => operation === name)).toMatchObject([author]);
    },
  );

  it.each(ACTS.filter(([name]) => name !== 'reconcile'))(
    'is in the list of the store once another process repeats it, if the first one has ended: %s',
    async (name, run) => {
      const first = openDesk(redis.server.url);
      await prepare(first);
      await run(first, 'call-1');
      // It has ended before its outbox.
      await redis.client.del(STORE_ACTS);

      await run(openDesk(redis.server.url), 'call-1');

      expect(await actsOf(name)).toMatchObject([author]);
    },
  );
});

/** Scripts that were run. */
function scriptsIn(stats: string): number {
  const counts = [...stats.matchAll(/cmdstat_eval(?:sha)?:calls=(\d+)/g)].map(([, count]) => Number(count));
  return counts.reduce((sum, count) => sum + count, 0);
}
