export { fakeClock } from './clock.js';
export { storeSuite } from './store-suite.js';
//# sourceMappingURL=index.js.map