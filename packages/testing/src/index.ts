// @sluice/testing has the tests that a store must pass, and a clock for tests. A store enters, and the tests run on it.
// It imports @sluice/core and @sluice/quotas, and only tests import it.
export { fakeClock, type FakeClock } from './clock.js';
export { storeSuite, type StoreSuiteRunner } from './store-suite.js';
