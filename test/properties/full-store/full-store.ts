import { definePolicy, memoryStore, type Policy, type PolicyOptions, type Store } from '@sluice/core';
import type { Claim } from '@sluice/core/own-store';
import { fakeClock } from '@sluice/testing';

import { claim, everyPolicy } from '../../support/claim.js';
import { FailingStore, throws, unavailable } from '../../support/failing-store.js';
import { behindFallback } from '../../support/layered-stores.js';

const LIMIT = 5;
const strikes = { algorithm: 'backoff', window: '1d', delays: ['1h'], forgive: 'one' } as const;
const bucket = { algorithm: 'token-bucket', limit: LIMIT, window: '1h' } as const;

/** Every kind of budget whose requests are charged and not held. */
export const KINDS: readonly (readonly [name: string, policy: Policy])[] = [
  ...everyPolicy(LIMIT).map(([name, options]) => [name, definePolicy(options)] as const),
  kind('token-bucket with an overdraft', { ...bucket, overdraft: 1_000 }),
  ['token-bucket after settle', definePolicy({ ...bucket, overdraft: 1_000 }).settling!],
  kind('backoff', { ...strikes, limit: LIMIT }),
  kind('backoff with a lock', { ...strikes, limit: LIMIT, lockAt: LIMIT + 1 }),
  kind('backoff of one free strike', { ...strikes, limit: 1 }),
];

type StateStore = Omit<Store, 'layers'>;

/** The stores that hold `maxKeys` keys in this process. */
export const STORES: readonly (readonly [name: string, make: (maxKeys: number) => StateStore])[] = [
  ['the memory store', (maxKeys) => memoryStore({ maxKeys, clock: fakeClock() })],
  [
    'the fallback store',
    (maxKeys) => {
      const away = new FailingStore();
      away.failure = throws(unavailable);
      return behindFallback(away, memoryStore({ maxKeys, clock: fakeClock() }));
    },
  ],
];

export function claimOf(policy: Policy, name: string | number): Claim {
  return { ...claim({ tier: 'tier', policy }), key: `rl:{${name}}:tier:shape` };
}

/** Whether a store admits one unit, without a charge. */
export async function admits(store: StateStore, one: Claim): Promise<boolean> {
  return (await store.peek([one])).outcomes[0]!.allowed;
}

export async function consume(store: StateStore, one: Claim): Promise<boolean> {
  return (await store.consume([one])).outcomes[0]!.allowed;
}

/** Consumes units until the key denies. */
export async function exhaust(store: StateStore, one: Claim): Promise<void> {
  const { algorithm, quota, capacity } = one.policy;
  await consume(store, { ...one, cost: algorithm.name === 'backoff' ? quota + 1 : capacity });
  while (await consume(store, one));
}

function kind(name: string, options: PolicyOptions): readonly [string, Policy] {
  return [name, definePolicy(options)];
}
