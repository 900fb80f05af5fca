import { writeFileSync } from 'node:fs';
import { limitersOf, type Store } from '@sluice/core';
import { operatorPolicies, redisPolicies } from '@sluice/policies';
import { redisStore, type RedisStore } from '@sluice/redis';
import { ChangeDesk } from '../../packages/dashboard/src/change-desk.js';
import { IdentityDesk } from '../../packages/dashboard/src/identity-desk.js';
import { BoundsOfRoles } from '../../packages/dashboard/src/support-bounds.js';
import { patient } from '../support/patient.js';
import { withLimitsFile } from './with-limits-file.js';

const limiterText = (name: string, limit: string) =>
  `  ${name}:\n    tiers:\n      - { name: ${name}-hour, key: tenant, limit: ${limit}, window: 1h }\n`;
const textOf = (...limiters: readonly string[]) => `version: 1\nlimiters:\n${limiters.join('')}`;
const PLANS = '{ pro: 500, otherwise: 10 }';

describe('operatorPolicies', () => {
  const redis = withLimitsFile();
  const opened: { close(): unknown }[] = [];

  afterEach(async () => {
    for (const each of opened.splice(0).toReversed()) await each.close();
  });

  async function open(partitioned: readonly string[] = []) {
    const store: RedisStore = redisStore({ url: redis.server.url }, patient);
    opened.push(store);
    const policies = await operatorPolicies(redis.file, { store, partitioned });
    opened.push(policies);
    return { store, policies, fleet: redisPolicies(store) };
  }

  const namesOf = (store: Store) =>
    limitersOf(store)
      .flatMap(({ tiers }) => tiers.map(({ name }) => name))
      .toSorted();

  it('has the limiters of the file and of each applied text, and is no process of the fleet', async () => {
    writeFileSync(redis.file, textOf(limiterText('api', '10')));
    const { store, policies, fleet } = await open();
    const ofFile = namesOf(store);
    const apply = (expected: number, text: string) => fleet.apply({ text, expected, by: 'ada', reason: 'x' });

    await apply(0, textOf(limiterText('api', '20'), limiterText('web', PLANS)));
    await policies.refresh();
    const ofFirst = namesOf(store);
    await apply(1, textOf(limiterText('web', PLANS)));
    await policies.refresh();

    expect([ofFile, ofFirst, namesOf(store)]).toEqual([['api-hour'], ['api-hour', 'web-hour'], ['web-hour']]);
    expect([policies.status().problem, await fleet.processes()]).toEqual([undefined, []]);
  });

  it('reads a tier with a line, whose callers only the application knows', async () => {
    const lined = '{ name: api-hour, key: tenant, limit: 24, window: 1d, line: { longest: 2d, by: worker } }';
    writeFileSync(redis.file, textOf(`  api:\n    tiers:\n      - ${lined}\n`));

    const { store } = await open();

    expect(namesOf(store)).toEqual(['api-hour']);
  });

  it('lets a desk give more than a plan has, and in a partition', async () => {
    writeFileSync(redis.file, textOf(limiterText('api', PLANS)));
    const { store, policies } = await open(['api']);
    const identities = new IdentityDesk(store, () => undefined);
    const bounds = new BoundsOfRoles({ lasts: 86_400_000, times: 100, units: 1 });
    const desk = new ChangeDesk({ store, identities, overrides: policies.overrides, bounds });
    const caller = { by: 'desk', role: 'support' } as const;
    const acme = { kind: 'key', values: ['acme'], partition: 'apex', tier: 'api-hour' };
    const override = { more: 5_000, lasts: 60_000, reason: 'ticket 4711' };

    const unknown = desk.override({ ...acme, override }, caller);
    await expect(unknown).rejects.toThrow('the limit of api-hour depends on the request: send the plan of the client');
    const look = await desk.override({ ...acme, plan: 'pro', override }, caller);

    expect(look.tiers).toMatchObject([{ tier: 'api-hour', limit: 5_500, isOverridden: true }]);
    expect(policies.overrides.list()).toMatchObject([{ limit: 5_500, partition: expect.any(String), by: 'desk' }]);
  });
});
