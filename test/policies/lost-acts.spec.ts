import { StoreError, subscribe } from '@sluice/core';
import { auditLog, type Act } from '@sluice/policies';
import { redisStore, type RedisStore } from '@sluice/redis';
import { forgetScript } from '../../packages/policies/src/audit/act-scripts.js';
import { applyScript } from '../../packages/policies/src/fleet/scripts.js';
import { patient } from '../support/patient.js';
import { withRedis } from '../support/redis-store.js';
import { until } from '../support/until.js';
import { wireTo, type Wire } from '../support/wire.js';
import { ACTS, author, openDesk, prepareActs, STORE_ACTS, type Desk } from './acts.js';

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

  function open(url: string): Desk {
    const desk = openDesk(url);
    opened.push(
      () => desk.store.close(),
      () => desk.limiter.close(),
    );
    return desk;
  }

  /** What there is to end, and a connection with all scripts. */
  async function prepare(desk: Desk): Promise<void> {
    await prepareActs(desk);
    // Else the lost reply would be that no such script is known.
    for (const { source } of [forgetScript, applyScript]) await redis.client.script('LOAD', source);
  }

  const actsOf = async (operation: Act['operation']) =>
    (await auditLog(witness).list()).filter((act) => act.operation === operation);

  it.each(ACTS)(
    'is in the list of the store and on sluice:audit once, if the process goes on: %s',
    async (name, run) => {
      const desk = open(wire.url);
      const events: Act[] = [];
      const end = subscribe('sluice:audit', (act) => events.push(act));
      await prepare(desk);
      const before = await redis.client.info('commandstats');

      wire.swallowReplies();
      const lost = run(desk, 'call-1').then(
        () => undefined,
        (error: unknown) => error,
      );
      await until(async () => scriptsIn(await redis.client.info('commandstats')) > scriptsIn(before));
      wire.cut();
      const error = await lost;
      const found = async () => {
        await auditLog(desk.store).sent();
        return (await actsOf(name)).length > 0;
      };
      await until(found);
      // A repetition finds the act.
      if (name !== 'reconcile') await run(desk, 'call-1');
      await auditLog(desk.store).sent();
      end();

      expect(error).toBeInstanceOf(StoreError);
      expect(await actsOf(name)).toMatchObject([author]);
      expect(events.filter(({ operation }) => operation === name)).toMatchObject([author]);
    },
  );

  it.each(ACTS.filter(([name]) => name !== 'reconcile'))(
    'is in the list of the store once another process repeats it, if the first one has ended: %s',
    async (name, run) => {
      const first = open(redis.server.url);
      await prepare(first);
      await run(first, 'call-1');
      // It has ended before its outbox.
      await redis.client.del(STORE_ACTS);

      await run(open(redis.server.url), 'call-1');

      expect(await actsOf(name)).toMatchObject([author]);
    },
  );
});

/** Scripts that were run. */
function scriptsIn(stats: string): number {
  const counts = [...stats.matchAll(/cmdstat_eval(?:sha)?:calls=(\d+)/g)].map(([, count]) => Number(count));
  return counts.reduce((sum, count) => sum + count, 0);
}
