// The sandbox of a spec has a global object of its own, which jest makes from a proxy: each use of a global (Math, Promise, Number)
// then asks the proxy, which takes a hundred times as long as in a program. Here it is an ordinary global object, as programs have.
const { createRequire } = require('node:module');
const vm = require('node:vm');

const core = createRequire(createRequire(require.resolve('jest')).resolve('@jest/core'));
const { TestEnvironment } = createRequire(core.resolve('jest-runner'))('jest-environment-node');

class OrdinaryGlobals extends TestEnvironment {
  /** @param {any} config @param {any} context */
  constructor(config, context) {
    const { createContext } = vm;
    // The constructor of jest makes its context by this function.
    vm.createContext = () => createContext(/** @type {any} */ (vm.constants).DONT_CONTEXTIFY);
    try {
      super(config, context);
    } finally {
      vm.createContext = createContext;
    }
  }
}

module.exports = OrdinaryGlobals;
