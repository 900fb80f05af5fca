// Where jest knows no times of an earlier run, as on a machine of CI: specs that wait for servers, programs and browsers
// come first, and those of the packages, which are short, fill the workers at the end.
const { createRequire } = require('node:module');
const { sep } = require('node:path');

const { default: Sequencer } = createRequire(createRequire(require.resolve('jest')).resolve('@jest/core'))(
  '@jest/test-sequencer',
);

const SHORT = `${sep}packages${sep}`;

class WaitingFirst extends Sequencer {
  /** @param {any[]} tests */
  sort(tests) {
    // oxlint-disable-next-line unicorn/no-array-sort -- it is a method of jest
    const sorted = super.sort(tests);
    if (sorted.some((/** @type {any} */ { duration }) => duration !== undefined)) return sorted;
    const isShort = (/** @type {any} */ { path }) => path.includes(SHORT);
    return [...sorted.filter((/** @type {any} */ test) => !isShort(test)), ...sorted.filter(isShort)];
  }
}

module.exports = WaitingFirst;
