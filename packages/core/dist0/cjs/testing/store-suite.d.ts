import type { MaybePromise } from '../model/maybe-promise.js';
import type { Store } from '../stores/store.js';
import { type StoreSuiteRunner } from './suite/trial.js';
export type { StoreSuiteRunner };
/**
 * What every store has to do, as tests of any runner that has `describe` and `it`. It never waits and never looks at
 * the store's clock: windows are hours long and keys are new for every test. Each test closes the store it was given.
 *
 * @param makeStore called once a test; the stores may keep their state in one place
 */
export declare function storeSuite(runner: StoreSuiteRunner, makeStore: () => MaybePromise<Store>): void;
//# sourceMappingURL=store-suite.d.ts.map