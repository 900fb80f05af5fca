import { createLimiter, memoryStore, type Decision, type Limiter, type Store, type Tier } from '@sluice/core';

import { withCluster } from '../support/cluster.js';
import { newStoreOn, withRedis } from '../support/redis-store.js';

/** Runs the same tests in memory, on a Redis and on a Cluster. Call `newStore` in tests, not in `describe`. */
export function onEveryStore(define: (newStore: () => Store) => void): void {
  describe('in memory', () => define(() => memoryStore()));

  describe('on Redis', () => {
    const redis = withRedis();

    define(() => newStoreOn(redis.client));
  });

  describe('on a Cluster', () => {
    const opened = withCluster();

    define(() => newStoreOn(opened.client));
  });
}

/** A subject. Every tier has a key of its own, so that a Cluster keeps them in different slots. */
export interface Caller {
  readonly user: string;
}

let callers = 0;

/** A caller that no other test uses. */
export function newCaller(): Caller {
  callers += 1;
  return { user: `user ${callers}` };
}

/** A tier of the caller: `limit` units in an hour that begins with the first request. */
export function tier(name: string, limit: number, more: Partial<Tier<Caller>> = {}): Tier<Caller> {
  const key = ({ user }: Caller) => ({ kind: name, parts: [user] });
  return { name, key, algorithm: 'fixed-window', limit, window: '1h', ...more } as Tier<Caller>;
}

export function limiterOf(store: Store, ...tiers: Tier<Caller>[]): Limiter<Caller> {
  return createLimiter({ store, tiers });
}

/** The remaining units by tier. */
export function remainingIn({ outcomes }: Decision): Record<string, number> {
  return Object.fromEntries(outcomes.map(({ tier: name, remaining }) => [name, remaining]));
}
