import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ipList } from '@sluice/http/lists';
import { creditsOf, exportUsage } from '@sluice/quotas';
import type { RedisStore } from '@sluice/redis';
import { openPolicies, redisPolicies } from '@sluice/policies';
import { resetClient } from '@sluice/policies/operations';
import type { Cluster, Redis } from 'ioredis';
import type { ListStore } from '../../packages/core/src/stores/store.js';
import { Fleet, fleetClient } from '../../packages/dashboard/src/fleet.js';
import { ageUsage } from './age-usage.js';
import { everyLimiter } from './every-limiter.mjs';

const LIMITS = `version: 1
limiters:
  api:
    tiers:
      - { name: api, key: user, limit: 100, window: 1h }
`;

const HOUR_MS = 3_600_000;
const ada = { user: 'ada', team: 'blue' };
const bob = { user: 'bob', team: 'red' };

/** Writes every kind of key to Redis, by every feature that has one, and leaves those that stay. @param client of the servers */
export async function writeEveryKey(store: RedisStore, client: Redis | Cluster): Promise<void> {
  const { together, permits, fair, paused, plan, billing, ...lone } = everyLimiter(store);
  await store.ready();
  for (const limiter of [...Object.values(lone), together!]) {
    for (const cost of [1, 2, 7]) await limiter.consume({ ...ada, cost });
    await limiter.consume(bob);
    // Several in one call, and one that is given back.
    await Promise.all([bob, bob, ada].map((caller) => limiter.consume(caller)));
    await limiter.settle(await limiter.consume({ ...bob, cost: 2 }), 1).catch(() => 0);
  }
  await lone['fixed']!.reset(ada);
  await lone['fixed']!.consume(ada);
  await paused!.pause(ada, '1m');
  await permits!.consume(ada);
  await permits!.release(await permits!.consume(ada));
  for (const tenant of ['one', 'one', 'other', 'one']) await fair!.consume({ ...ada, tenant });
  for (const limiter of [plan!, billing!]) {
    await creditsOf(limiter).credit(ada, 100, { id: 'invoice 1' });
    await creditsOf(limiter).reconcile(ada, 90, { asOf: Date.now() - (Date.now() % HOUR_MS) });
    for (const cost of [2, 2, 20]) await limiter.consume({ ...ada, cost });
    await limiter.refund(await limiter.consume({ ...ada, cost: 3 }));
    await limiter.consume(bob);
  }
  await exportOnce(store, client);
  await changeList(store);
  await applyPolicies(store);
  const fleet = new Fleet(fleetClient(store)!, store, 'h_tHdlBE');
  await fleet.beat(true, () => '{}');
}

/** An export of hours that are over. */
async function exportOnce(store: RedisStore, client: Redis | Cluster): Promise<void> {
  await Promise.all(nodesOf(client).map((node) => ageUsage(node)));
  const usage = exportUsage(store, { sink: () => undefined });
  await usage.run();
  await usage.close();
}

async function changeList(store: RedisStore): Promise<void> {
  const blocked = ipList({ name: 'blocked', store });
  await blocked.add('203.0.113.0/24');
  await blocked.add('198.51.100.7', { for: '1h' });
  await blocked.remove('198.51.100.7');
  await blocked.close();
  const items = [{ name: '192.0.2.1', number: 1, until: 0, note: '' }];
  await (store as unknown as ListStore).restoreList('rl:{blocked}:list', { restorer: 'spec', floor: 0, items });
}

async function applyPolicies(store: RedisStore): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-limits-'));
  const file = join(folder, 'limits.yaml');
  await writeFile(file, LIMITS);
  const fleet = redisPolicies(store);
  const why = { by: 'ada', reason: 'ticket 1' };
  await fleet.apply({ text: LIMITS, expected: 0, ...why });
  await fleet.apply({ text: LIMITS.replace('100', '90'), expected: 1, ...why });
  const digest = 'h_tHdlBEhrTvc25VMm8vk-';
  const act = { id: 'call-1', operation: 'override', by: 'ada', tiers: [{ tier: 'api', digest }] } as const;
  await fleet.overrides.set({ tier: 'api', digest, limit: 5, reason: 'ticket 2' }, { act, replacing: () => undefined });
  const states = [{ tier: 'api', key: `rl:{${digest}}:api:swwvU` }];
  await resetClient(store, states, { by: 'ada', reset: async (keys) => store.reset(keys) });
  const policies = await openPolicies(file, { keys: { user: () => 'ada' }, fleet });
  await fleet.restore({ read: { epoch: '', head: '' }, knownAt: 0, text: undefined, entries: [] });
  await fleet.processes();
  policies.close();
  await rm(folder, { recursive: true });
}

export function nodesOf(client: Redis | Cluster): readonly Redis[] {
  return 'nodes' in client ? client.nodes('master') : [client];
}
