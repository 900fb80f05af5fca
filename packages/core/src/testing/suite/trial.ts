import { randomUUID } from 'node:crypto';

import { definePolicy, type PolicyOptions } from '../../algorithms/policy-options.js';
import type { Claim } from '../../model/claim.js';
import type { MaybePromise } from '../../async/maybe-promise.js';
import type { Store } from '../../stores/store.js';

/** The two functions of a test runner that the suite calls. */
export interface StoreSuiteRunner {
  describe(name: string, define: () => void): void;
  it(sentence: string, test: () => Promise<void>): void;
}

/** Adds a test: it gets a store of its own, and claims on keys that nobody has used. */
export type Trial = (sentence: string, test: (store: Store, claims: Claims) => Promise<void>) => void;

/** Makes the claim of a tier; the key is that of the tier unless another is given. */
export type Claims = (tier: string, options: PolicyOptions, more?: Partial<Claim>) => Claim;

export function trialsOf(runner: StoreSuiteRunner, makeStore: () => MaybePromise<Store>): Trial {
  return (sentence, test) => {
    runner.it(sentence, async () => {
      const store = await makeStore();
      try {
        await test(store, freshClaims());
      } finally {
        await store.close();
      }
    });
  };
}

function freshClaims(): Claims {
  // One hash tag a test, so that a Cluster decides its groups in one place too.
  const tag = `suite:{${randomUUID()}}`;
  return (tier, options, more) => ({
    tier,
    key: `${tag}:${tier}:xx000`,
    policy: definePolicy(options),
    cost: 1,
    shadow: false,
    countDenied: false,
    record: undefined,
    ...more,
  });
}
