export { fakeClock, type FakeClock } from './clock.js';
export { storeSuite, type StoreSuiteRunner } from './store-suite.js';
