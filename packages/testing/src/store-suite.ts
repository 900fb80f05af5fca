import type { MaybePromise, Store } from '@sluice/core/internal';
import { algorithmRules, highLimitRules } from './suite/algorithm-rules.js';
import { backoffRules } from './suite/backoff-rules.js';
import { balanceRules } from './suite/balance-rules.js';
import { closingRules } from './suite/closing-rules.js';
import { groupRules } from './suite/group-rules.js';
import { keyRules } from './suite/key-rules.js';
import { pauseRules } from './suite/pause-rules.js';
import { permitRules } from './suite/permit-rules.js';
import { recordRules } from './suite/record-rules.js';
import { SAMPLES } from './suite/samples.js';
import { storeTest, type StoreSuiteRunner } from './suite/store-test.js';

export type { StoreSuiteRunner };

/**
 * The tests that every store must pass, for any runner with `describe` and `it`. They never wait and never read the
 * store's clock: windows last for hours, and each test has new keys. The suite closes each store.
 *
 * @example
 * storeSuite({ describe, it }, () => memoryStore());
 *
 * @param makeStore is called once for each test. The stores may share their state
 */
export function storeSuite(runner: StoreSuiteRunner, makeStore: () => MaybePromise<Store>): void {
  const test = storeTest(runner, makeStore);
  for (const [name, options] of Object.entries(SAMPLES)) {
    runner.describe(`a tier with ${name}`, () => algorithmRules(test, options));
  }
  runner.describe('a tier with sliding-window and a high limit', () => highLimitRules(test));
  runner.describe('consume', () => groupRules(test));
  runner.describe('a tier with backoff', () => backoffRules(test));
  runner.describe('a tier with pause', () => pauseRules(test));
  runner.describe('a tier with balance', () => balanceRules(test));
  runner.describe('permits', () => permitRules(test));
  runner.describe('recorded texts', () => recordRules(test));
  runner.describe('keys', () => keyRules(test));
  runner.describe('close', () => closingRules(test));
}
