import { createLimiter, limitersOf, type Limiter } from '@sluice/core';
import { auditLog, redisPolicies, type Act } from '@sluice/policies';
import { FleetOverrides, resetClient } from '@sluice/policies/operations';
import { overridesOf, type OverrideOptions } from '@sluice/policies/overrides';
import { balance, creditsOf } from '@sluice/quotas';
import { redisStore, type RedisStore } from '@sluice/redis';

const HOUR_MS = 3_600_000;
export const STORE_ACTS = 'rl:{~audit}:acts';
const TEXT = 'version: 1\nlimiters: { api: { tiers: [{ name: hour, key: tenant, limit: 7, window: 1h }] } }\n';

/** A process that acts on clients. */
export interface Desk {
  readonly store: RedisStore;
  readonly limiter: Limiter<string>;
}

export const author = { by: 'ada', reason: 'ticket 4711' };
const target = { tier: 'hour', identity: 'acme' };

export function overridesIn({ store, limiter }: Desk): FleetOverrides {
  const check = (options: OverrideOptions) => overridesOf(limiter).check(options);
  return new FleetOverrides({ redis: redisPolicies(store), check, list: () => overridesOf(limiter).list() });
}

async function forget({ store, limiter }: Desk, id: string): Promise<unknown> {
  const [view] = limitersOf(store);
  const owner = `rl:{${view!.digestOf('acme')}}`;
  const states = [{ tier: 'hour', key: `${owner}:hour:sw` }];
  return resetClient(store, states, { ...author, id, reset: () => limiter.of('acme').reset({ tiers: ['hour'] }) });
}

/** Each act of a person, by an id. */
export const ACTS: readonly [operation: Act['operation'], run: (desk: Desk, id: string) => Promise<unknown>][] = [
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

export function openDesk(url: string): Desk {
  const store = redisStore({ url }, { deadline: '10s' });
  const key = (tenant: string) => tenant;
  const tiers = [
    { name: 'hour', key, limit: 9, window: '1h' },
    { name: 'credits', key, algorithm: balance() },
  ] as const;
  const limiter = createLimiter<string>({ store, tiers });
  auditLog(store);
  return { store, limiter };
}

/** Makes what there is to end, and to take. */
export async function prepareActs(desk: Desk): Promise<void> {
  await overridesIn(desk).set({ ...target, limit: 5, reason: 'earlier' });
  await creditsOf(desk.limiter).credit('acme', 100, { id: 'earlier' });
  await desk.limiter.of('acme').inspect();
}
