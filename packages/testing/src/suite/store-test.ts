// suite/ has the rules that each store must keep, one file for a subject. A store and a clock enter. It imports
// @sluice/core and @sluice/quotas.
import { randomUUID } from 'node:crypto';

import {
  type Answer,
  type Claim,
  definePolicy,
  type MaybePromise,
  type PolicyOptions,
  type Store,
  type StoreAbilities,
} from '@sluice/core/internal';

/** The functions of a test runner that the suite calls. */
export interface StoreSuiteRunner {
  describe(name: string, define: () => void): void;
  it(sentence: string, test: () => Promise<void>): void;
}

/** A store that is tested. It may have no permits and no balances. */
export type TestedStore = Store & Partial<StoreAbilities> & Pick<StoreAbilities, 'recorded'>;

/** Registers a test. It gets a new store, and a function that makes claims on new keys. */
export type StoreTest = (sentence: string, test: (store: TestedStore, claimOf: ClaimMaker) => Promise<void>) => void;

/** Makes the claim of a tier. Each tier has one key unless `more` has another. */
export type ClaimMaker = (tier: string, options: PolicyOptions, more?: Partial<Claim>) => Claim;

export function storeTest(runner: StoreSuiteRunner, makeStore: () => MaybePromise<Store>): StoreTest {
  return (sentence, test) => {
    runner.it(sentence, async () => {
      const store = (await makeStore()) as TestedStore;
      try {
        await test(store, claimMaker());
      } finally {
        await store.close();
      }
    });
  };
}

function claimMaker(): ClaimMaker {
  // One hash tag for each test, so that one slot of a Cluster decides its groups.
  const tag = `suite:{${randomUUID()}}`;
  return (tier, options, more) => ({
    tier,
    key: `${tag}:${tier}:xx000`,
    policy: definePolicy(options),
    cost: 1,
    shadow: false,
    record: undefined,
    ...more,
  });
}

/** What each tier decides, and the units that it has left: `3 left` or `denied, 0 left`. */
export function decisions({ outcomes }: Answer): string[] {
  return outcomes.map(({ allowed, remaining }) => `${allowed ? '' : 'denied, '}${remaining} left`);
}

/** The same as pairs. */
export function allowedAndLeft({ outcomes }: Answer): [allowed: boolean, remaining: number][] {
  return outcomes.map(({ allowed, remaining }) => [allowed, remaining]);
}
