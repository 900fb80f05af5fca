// Jest gives each spec file its own modules. Most files load the same ones, so a worker keeps what it has read and compiled
// of them: their code runs again for each file, in the sandbox of that file. Tests see no difference.
const { createRequire } = require('node:module');
const { Script } = require('node:vm');

const { default: Runtime } = createRequire(createRequire(require.resolve('jest')).resolve('@jest/core'))(
  'jest-runtime',
);

/** As jest names them. */
const PARAMETERS = 'module,exports,require,__dirname,__filename,jest';
const BEGIN = `(function(${PARAMETERS}){`;

/** @type {Map<string, { source: string, transformed: any }>} by file */
const transforms = new Map();
/** @type {Map<string, { code: string, script: Script }>} by file */
const scripts = new Map();

class SharingRuntime extends Runtime {
  /** @param {any[]} args config, environment, resolver, transformer, files, coverage, path of the spec */
  constructor(...args) {
    super(...args);
    const [, environment, , , , { collectCoverage }] = args;
    // Coverage counts in the code that it has compiled itself.
    if (collectCoverage) return;
    shareTransforms(this.transformCache);
    shareScripts(this.executor, environment);
  }
}

/** @param {any} cache what a spec file has transformed */
function shareTransforms(cache) {
  const transform = cache.transform.bind(cache);
  cache.transform = (/** @type {string} */ filename, /** @type {any} */ options) => {
    const source = cache.fileCache.readFile(filename);
    if (options?.isInternalModule) return source;
    const known = transforms.get(filename);
    if (known !== undefined && known.source === source) {
      const { transformed } = known;
      cache.transforms.set(filename, transformed);
      if (transformed.sourceMapPath) cache.sourceMaps.set(filename, transformed.sourceMapPath);
      return transformed.code;
    }
    const code = transform(filename, options);
    transforms.set(filename, { source, transformed: cache.transforms.get(filename) });
    return code;
  };
}

/** @param {any} executor @param {any} environment */
function shareScripts(executor, environment) {
  const compile = executor.compile.bind(executor);
  executor.compile = (/** @type {string} */ code, /** @type {string} */ filename) => {
    const context = environment.getVmContext();
    if (context === null) return null;
    let known = scripts.get(filename);
    if (known?.code !== code) {
      try {
        known = { code, script: new Script(`${BEGIN}${code}\n})`, { filename, columnOffset: -BEGIN.length }) };
      } catch {
        // Jest knows what to say of a file that cannot be compiled.
        return compile(code, filename);
      }
      scripts.set(filename, known);
    }
    return known.script.runInContext(context);
  };
}

module.exports = SharingRuntime;
