import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { limitersOf } from '@sluice/core';
import { auditLog, type Act } from '@sluice/policies';
import { actsOnClient } from '@sluice/policies/operations';
import { creditsOf } from '@sluice/quotas';
import { forgetScript } from '../../packages/policies/src/audit/act-scripts.js';
import { applyScript } from '../../packages/policies/src/fleet/scripts.js';
import { root } from '../../scripts/root.mjs';
import { fork } from '../support/child.js';
import { withRedis } from '../support/redis-store.js';
import { until } from '../support/until.js';
import { wireTo, type Wire } from '../support/wire.js';
import { ACTS, author, openDesk, STORE_ACTS, type Desk } from './acts.js';

/** When the process is killed: no step reaches Redis, the change alone, or the change and the outbox. */
const STEPS = ['before the change', 'between the change and the outbox', 'after the outbox'] as const;
/** What the balance has after one of them. */
const UNITS: Partial<Record<Act['operation'], number>> = { credit: 105, debit: 95, reconcile: 9 };

describe('an act of a process that is killed by kill -9', () => {
  const redis = withRedis();
  const opened: (() => unknown)[] = [];
  let wire: Wire;
  let desk: Desk;

  beforeEach(async () => {
    await redis.client.flushall();
    wire = await wireTo(redis.server);
    // A script that the server does not know would take a second step.
    for (const { source } of [forgetScript, applyScript]) await redis.client.script('LOAD', source);
    desk = openDesk(redis.server.url);
    opened.push(
      () => wire.close(),
      () => desk.store.close(),
      () => desk.limiter.close(),
    );
  });

  afterEach(async () => {
    for (const close of opened.splice(0).toReversed()) await close();
  });

  const ofClient = async (name: Act['operation']) => {
    const acts = await actsOnClient(desk.store, limitersOf(desk.store), { identity: 'acme', policies: ['limits'] });
    return acts.filter(({ operation, by }) => operation === name && by === 'ada');
  };
  const ofStore = async (name: Act['operation']) =>
    (await auditLog(desk.store).list()).filter(({ operation }) => operation === name);
  const scripts = async () => {
    const stats = await redis.client.info('commandstats');
    const counts = [...stats.matchAll(/cmdstat_(?:evalsha|eval):calls=(\d+)/g)].map(([, count]) => Number(count));
    return counts.reduce((sum, count) => sum + count, 0);
  };

  async function startActor(): Promise<ChildProcess> {
    const env = { ...process.env, SLUICE_SOURCES: root };
    const execArgv = ['--import', join(root, 'test/tools/typescript.mjs')];
    const child = fork(join(root, 'test/policies/programs/actor.ts'), [wire.url], { execArgv, env });
    await once(child, 'message');
    return child;
  }

  /** Lets a process act, and kills it at a step. */
  async function kill(name: string, step: (typeof STEPS)[number]): Promise<void> {
    const child = await startActor();
    const before = await scripts();
    if (step === 'before the change') wire.freeze();
    if (step === 'between the change and the outbox') wire.swallowReplies();
    child.send(name);
    if (step === 'after the outbox') await once(child, 'message');
    if (step === 'between the change and the outbox') await until(async () => (await scripts()) > before);
    const exit = once(child, 'exit');
    child.kill('SIGKILL');
    await exit;
    wire.cut();
  }

  it.each(ACTS.flatMap(([name, run]) => STEPS.map((step) => [name, step, run] as const)))(
    'is in the list of its client once, and in that of the store once it is repeated: %s, killed %s',
    async (name, step, run) => {
      const other = openDesk(redis.server.url);
      opened.push(
        () => other.store.close(),
        () => other.limiter.close(),
      );
      await kill(name, step);
      const isMade = step !== 'before the change';
      const [client, store] = [await ofClient(name), await redis.client.zcard(STORE_ACTS)];

      // A reconciliation takes no id: a repetition of one that was made would be another.
      const isRepeated = name !== 'reconcile' || !isMade;
      if (isRepeated) await run(other, 'call-1');
      await auditLog(other.store).sent();

      // Policies are of no client.
      const isOfClient = name !== 'apply';
      expect(client).toMatchObject(isOfClient && isMade ? [author] : []);
      expect(store).toBe(step === 'after the outbox' ? 1 : 0);
      expect(await ofClient(name)).toMatchObject(isOfClient ? [author] : []);
      expect(await ofStore(name)).toMatchObject(isRepeated || store === 1 ? [author] : []);
      const { balance } = await creditsOf(desk.limiter).credit('acme', 100, { id: 'earlier' });
      expect(balance).toBe(UNITS[name] ?? 100);
    },
  );
});
