import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLimiter } from '@sluice/core';
import { redisStore } from '@sluice/redis';
import { exportUsage, usage, type UsageRow } from '@sluice/quotas';
import { root } from '../../../scripts/root.mjs';
import { Random } from '../../properties/twin/random.js';
import { fork } from '../../support/child.js';
import { patient } from '../../support/patient.js';
import { untilAnswered } from '../../support/until.js';
import { startClockedRedis, whyNoClock } from '../clock/clocked-redis.js';
import type { Exported, ExporterJob } from './exporter-job.js';
import { LedgerFile } from './ledger-file.js';
import { Oracle } from './oracle.js';

const TIER = 'day';
/** More than a batch. */
const USERS = Array.from({ length: 520 }, (_, index) => `user-${index}`);
/** Seconds after which an hour is over, and after which the lock of a process that has died has ended. */
const HOUR = 3_660;
const LOCK = 61;

const reason = whyNoClock();
if (reason !== undefined) console.log(`No export is killed at each step: ${reason}`);
const describeClock = reason === undefined ? describe : describe.skip;

/** Runs an export in a process of its own. Undefined if it was killed. */
async function runExporter(job: ExporterJob): Promise<Exported | undefined> {
  const child = fork(join(root, 'test/resilience/exports/exporter.mjs'), [JSON.stringify(job)], { execArgv: [] });
  let exported: Exported | undefined;
  child.once('message', (message) => (exported = message as Exported));
  const [, signal] = (await once(child, 'exit')) as [number | null, string | null];
  if (signal !== 'SIGKILL' && exported === undefined) throw new Error('the exporter has failed');
  return exported;
}

describeClock('exportUsage', () => {
  it('bills each unit once, killed at each step, with a sink that fails half of its batches, and late settlements', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'sluice-exports-'));
    const server = await startClockedRedis();
    const store = redisStore({ url: server.url }, patient);
    const limiter = createLimiter<string>({
      store,
      tiers: [{ name: TIER, key: (user) => user, algorithm: 'fixed-window', limit: 1e9, window: '1d', usage: usage() }],
    });
    const ledger = new LedgerFile(join(directory, 'ledger'));
    const oracle = new Oracle(store, limiter, TIER);
    const random = new Random(3);
    const sink = (rows: readonly UsageRow[]) => {
      const fate = random.fraction();
      if (fate < 0.25) throw new Error('away');
      ledger.append(rows);
      if (fate < 0.5) throw new Error('late');
    };
    let clock = 0;
    const pass = (seconds: number) => server.step((clock += seconds));
    const wrong: number[] = [];
    let dies = 0;
    let exported: Exported | undefined;

    do {
      dies += 1;
      await oracle.charge(USERS);
      await pass(HOUR);
      exported = await runExporter({ port: server.port, file: ledger.path, tier: TIER, dies });
      await oracle.settle(40);
      await pass(LOCK);
      // Its timer must not take the lock of the next process.
      const own = exportUsage(store, { grace: '1ms', sink });
      await untilAnswered(async () => (await own.run()).problem === undefined);
      await own.close();
      const billed = ledger.units();
      for (const [digest, units] of oracle.units) if ((billed.get(digest) ?? 0) !== units) wrong.push(dies);
    } while (exported === undefined);

    expect(wrong).toEqual([]);
    expect(exported).toEqual({ steps: dies - 1, rows: 520, problem: null });
    // Lock, scan, reads, two batches, marks and unlock.
    expect(dies).toBeGreaterThan(18);
    await store.close();
    await server.stop();
    await rm(directory, { recursive: true });
  }, 1_200_000);
});
