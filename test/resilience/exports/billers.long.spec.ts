import { once } from 'node:events';
import { join } from 'node:path';
import { createLimiter, limitersOf } from '@sluice/core';
import { exportUsage, usage, type UsageSink } from '@sluice/quotas';
import { redisStore } from '@sluice/redis';
import { Pool } from 'pg';
import { usageTable } from '../../../packages/quotas/src/billing/index.js';
import { root } from '../../../scripts/root.mjs';
import { OpenMeterStandIn } from '../../billing/open-meter-stand-in.js';
import type { StandIn } from '../../billing/stand-in.js';
import { StripeStandIn } from '../../billing/stripe-stand-in.js';
import { startPostgres } from '../../postgres/postgres-server.js';
import { Random } from '../../properties/twin/random.js';
import { fork } from '../../support/child.js';
import { patient } from '../../support/patient.js';
import { untilAnswered } from '../../support/until.js';
import { startClockedRedis, whyNoClock } from '../clock/clocked-redis.js';
import type { BillerJob } from './biller-job.js';
import { billerSink } from './biller-sink.mjs';
import type { Exported } from './exporter-job.js';
import { Oracle } from './oracle.js';

const TIER = 'day';
const USERS = Array.from({ length: 6 }, (_, index) => `user-${index}`);
/** Seconds after which an hour is over, and after which the lock of a process that has died has ended. */
const HOUR = 3_660;
const LOCK = 61;

const reason = whyNoClock();
if (reason !== undefined) console.log(`No biller is killed at each step: ${reason}`);
const describeClock = reason === undefined ? describe : describe.skip;

/** Runs an export in a process of its own. Undefined if it was killed. */
async function runBiller(job: BillerJob): Promise<Exported | undefined> {
  const child = fork(join(root, 'test/resilience/exports/biller.mjs'), [JSON.stringify(job)], { execArgv: [] });
  let exported: Exported | undefined;
  child.once('message', (message) => (exported = message as Exported));
  const [, signal] = (await once(child, 'exit')) as [number | null, string | null];
  if (signal !== 'SIGKILL' && exported === undefined) throw new Error('the biller has failed');
  return exported;
}

/** Fails half of the batches, before or after they were stored. */
function unreliable(sink: UsageSink, random: Random): UsageSink {
  return async (rows, context) => {
    const fate = random.fraction();
    if (fate < 0.25) throw new Error('away');
    const answer = await sink(rows, context);
    if (fate < 0.5) throw new Error('late');
    return answer;
  };
}

describeClock('A bill by', () => {
  it.each([
    ['stripe', 20],
    ['openMeter', 20],
    ['postgres', 12],
  ] as const)(
    '%s has each unit once, of an exporter that is killed at each step, and of one whose batches fail half of the time',
    async (kind, stepsAtLeast) => {
      let clock = 0;
      const [server, postgres] = [await startClockedRedis(), await startPostgres()];
      const pool = new Pool({ ...postgres.connection, max: 2 }).on('error', () => undefined);
      const stripe = new StripeStandIn(() => Date.now() + clock * 1e3);
      const openMeter = new OpenMeterStandIn();
      const service: StandIn = kind === 'openMeter' ? openMeter : stripe;
      stripe.addMeter('requests');
      for (const user of USERS) stripe.customers.add(`cus_${user}`);
      await service.start();
      await usageTable({ client: pool, table: 'bills' }).create();

      const store = redisStore({ url: server.url }, patient);
      const label = (user: string) => user;
      const counted = { algorithm: 'fixed-window', limit: 1e9, window: '1d', usage: usage() } as const;
      const limiter = createLimiter<string>({ store, tiers: [{ name: TIER, key: label, label, ...counted }] });
      const oracle = new Oracle(store, limiter, TIER);
      const random = new Random(3);
      const job = { kind, port: server.port, url: service.url, connection: postgres.connection, table: 'bills' };
      const jobOf = (dies: number): BillerJob => ({
        ...job,
        key: kind === 'openMeter' ? openMeter.token : stripe.key,
        tier: TIER,
        dies,
      });
      const sink = unreliable(billerSink(jobOf(0), pool), random);
      const billed = async () => {
        if (kind === 'stripe') return (user: string) => stripe.unitsOf(`cus_${user}`, 'requests');
        if (kind === 'openMeter') return (user: string) => openMeter.unitsOf(user, 'requests');
        const rows = await postgres.query('SELECT label, sum(units)::int AS units FROM bills GROUP BY label');
        return (user: string) => rows.find((row) => row['label'] === user)?.['units'] ?? 0;
      };
      const wrong: string[] = [];
      let dies = 0;
      let exported: Exported | undefined;

      do {
        dies += 1;
        await oracle.charge(USERS);
        await server.step((clock += HOUR));
        service.fate = () => 'works';
        exported = await runBiller(jobOf(dies));
        await oracle.settle(3);
        await server.step((clock += LOCK));
        service.fate = () => (random.chance(0.5) ? 'works' : random.chance(0.5) ? 'fails' : 'cut');
        const own = exportUsage(store, { grace: '1ms', sink });
        await untilAnswered(async () => (await own.run()).problem === undefined);
        await own.close();
        const unitsOf = await billed();
        const [view] = limitersOf(store);
        for (const user of USERS) {
          if (unitsOf(user) !== oracle.units.get(view!.digestOf(user))) wrong.push(`${user}, killed at step ${dies}`);
        }
      } while (exported === undefined);

      expect(wrong).toEqual([]);
      expect(exported).toEqual({ steps: dies - 1, rows: 6, problem: null });
      expect(dies).toBeGreaterThan(stepsAtLeast);
      await store.close();
      await pool.end();
      await Promise.all([service.stop(), server.stop(), postgres.stop()]);
    },
    1_200_000,
  );
});
