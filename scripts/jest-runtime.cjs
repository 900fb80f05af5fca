// Jest gives each spec file its own modules. Most files load the same ones, so a worker keeps what it has read and compiled
// of them: their code runs again for each file, in the sandbox of that file. Tests see no difference.
const { createRequire } = require('node:module');
const path = require('node:path');
const { Script } = require('node:vm');

const { default: Runtime } = createRequire(createRequire(require.resolve('jest')).resolve('@jest/core'))(
  'jest-runtime',
);

/** As jest names them. */
const PARAMETERS = 'module,exports,require,__dirname,__filename,jest';
const BEGIN = `(function(${PARAMETERS}){`;

/** @type {Map<string, { source: string, transformed: any }>} by file */
const transforms = new Map();
/** @type {Map<string, { code: string, script: Script, usesJest: boolean }>} by file */
const scripts = new Map();
/** @type {Map<string, string>} by file */
const sources = new Map();
/** What share their answers already: a worker has one for all of its spec files. @type {WeakSet<object>} */
const resolvers = new WeakSet();

/** What specs write, or start a build of, may change between two of them. */
const CHANGES = /[\\/](?:dist|\.cache)[\\/]/;

class SharingRuntime extends Runtime {
  /** @param {any[]} args config, environment, resolver, transformer, files, coverage, path of the spec, options of jest */
  constructor(...args) {
    super(...args);
    const [{ rootDir }, environment, resolver, , , { collectCoverage }, , { watch, watchAll }] = args;
    // Sources change while jest watches them.
    if (!watch && !watchAll) {
      shareSources(this.fileCache, rootDir);
      shareAnswers(resolver);
    }
    // Coverage counts in the code that it has compiled itself.
    if (collectCoverage) return;
    shareTransforms(this.transformCache);
    shareScripts(this.executor, environment);
    leaveOutJest(this.jestGlobals);
  }
}

/** @param {any} cache what a spec file has read @param {string} root */
function shareSources(cache, root) {
  const read = /** @type {(filename: string) => string} */ (cache.readFile.bind(cache));
  cache.readFile = (/** @type {string} */ filename) => {
    let source = sources.get(filename);
    if (source !== undefined) return source;
    source = read(filename);
    if (filename.startsWith(root) && !CHANGES.test(filename)) sources.set(filename, source);
    return source;
  };
}

/** Jest looks for the file of a mapped name at each import, three times. @param {any} resolver */
function shareAnswers(resolver) {
  if (resolvers.has(resolver)) return;
  resolvers.add(resolver);
  const resolve = /** @type {(...args: unknown[]) => string | null} */ (resolver.resolveStubModuleName.bind(resolver));
  /** @type {Map<string, string | null>} */
  const answers = new Map();
  resolver.resolveStubModuleName = (
    /** @type {string} */ from,
    /** @type {string} */ name,
    /** @type {{ conditions?: string[] } | undefined} */ options,
  ) => {
    const key = [path.dirname(from), name, ...(options?.conditions ?? [])].join('\0');
    let answer = answers.get(key);
    if (answer === undefined) {
      // Throws where there is no such file, which a spec may write later.
      answer = resolve(from, name, options);
      answers.set(key, answer);
    }
    return answer;
  };
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
        const script = new Script(`${BEGIN}${code}\n})`, { filename, columnOffset: -BEGIN.length });
        known = { code, script, usesJest: /\bjest\b/.test(code) };
      } catch {
        // Jest knows what to say of a file that cannot be compiled.
        return compile(code, filename);
      }
      scripts.set(filename, known);
    }
    return known.script.runInContext(context);
  };
}

/** Jest makes an object of 50 functions for each file, which few files name. @param {any} globals */
function leaveOutJest(globals) {
  const make = globals.jestObjectFor.bind(globals);
  globals.jestObjectFor = (/** @type {string} */ filename) =>
    scripts.get(filename)?.usesJest === false ? undefined : make(filename);
}

module.exports = SharingRuntime;
