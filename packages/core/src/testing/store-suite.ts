import type { MaybePromise } from '../async/maybe-promise.js';
import type { Store } from '../stores/store.js';
import { algorithmRules } from './suite/algorithm-rules.js';
import { closingRules } from './suite/closing-rules.js';
import { groupRules } from './suite/group-rules.js';
import { keyRules } from './suite/key-rules.js';
import { recordRules } from './suite/record-rules.js';
import { SAMPLES } from './suite/samples.js';
import { trialsOf, type StoreSuiteRunner } from './suite/trial.js';

export type { StoreSuiteRunner };

/**
 * What every store has to do, as tests of any runner that has `describe` and `it`. It never waits and never looks at
 * the store's clock: windows are hours long and keys are new for every test. Each test closes the store it was given.
 *
 * @param makeStore called once a test; the stores may keep their state in one place
 */
export function storeSuite(runner: StoreSuiteRunner, makeStore: () => MaybePromise<Store>): void {
  const trial = trialsOf(runner, makeStore);
  for (const [name, options] of Object.entries(SAMPLES)) {
    runner.describe(name, () => algorithmRules(trial, options));
  }
  runner.describe('claims of one request', () => groupRules(trial));
  runner.describe('recorded texts', () => recordRules(trial));
  runner.describe('keys', () => keyRules(trial));
  runner.describe('closing', () => closingRules(trial));
}
