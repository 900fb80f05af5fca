// Specs get this as 'fast-check': jest.config.mjs.
import { createHash } from 'node:crypto';
import * as fastCheck from '../../node_modules/fast-check/lib/cjs/fast-check.js';
import { areRandom } from './seeds.js';

/** Each test has histories of its own, and the same in each run. */
function seedByTest(): void {
  const { testPath = '', currentTestName = testPath } = expect.getState();
  const seed = createHash('sha1').update(currentTestName).digest().readInt32BE();
  fastCheck.configureGlobal({ ...fastCheck.readConfigureGlobal(), seed });
}

if (!areRandom) {
  seedByTest();
  beforeEach(seedByTest);
}

export * from '../../node_modules/fast-check/lib/cjs/fast-check.js';
