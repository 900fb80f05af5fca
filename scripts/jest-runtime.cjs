// Jest gives each spec file its own modules. Most files load the same ones, so a worker keeps what it has read and compiled
// of them: their code runs again for each file, in the sandbox of that file. Tests see no difference.
const hooks = require('node:async_hooks');
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
  /** Those that this spec file has made. @type {Set<InstanceType<typeof hooks.AsyncLocalStorage>>} */
  #storages = new Set();

  /** @param {any[]} args config, environment, resolver, transformer, files, coverage, path of the spec, options of jest */
  constructor(...args) {
    super(...args);
    const [{ rootDir }, environment, resolver, , , { collectCoverage }, , { watch, watchAll }] = args;
    // Sources change while jest watches them.
    if (!watch && !watchAll) {
      shareSources(this.fileCache, rootDir);
      shareAnswers(resolver);
    }
    noteStorages(this.coreModule, this.#storages);
    // Coverage counts in the code that it has compiled itself.
    if (collectCoverage) return;
    shareTransforms(this.transformCache);
    shareScripts(this.executor, environment);
    leaveOutJest(this.jestGlobals);
  }

  /** @param {string} from @param {string} [name] what jest itself loads into the sandbox */
  requireInternalModule(from, name) {
    return name === 'node:async_hooks'
      ? { ...hooks, AsyncLocalStorage: StoreOfOneTest }
      : super.requireInternalModule(from, name);
  }

  /** Node looks at each storage that is in use for every promise, also at those of the spec files before. */
  teardown() {
    super.teardown();
    for (const storage of this.#storages) storage.disable();
  }
}

/** What a runner needs of AsyncLocalStorage that runs one test after the other: promises cost as much as in a program. */
class StoreOfOneTest {
  /** @type {unknown} */
  #store;

  getStore() {
    return this.#store;
  }

  /** @param {unknown} store @param {() => Promise<unknown>} run */
  async run(store, run) {
    const before = this.#store;
    this.#store = store;
    try {
      return await run();
    } finally {
      this.#store = before;
    }
  }
}

/** @param {any} modules the provider of Node's own @param {Set<InstanceType<typeof hooks.AsyncLocalStorage>>} storages */
function noteStorages(modules, storages) {
  /** @extends {hooks.AsyncLocalStorage<unknown>} */
  class NotedStorage extends hooks.AsyncLocalStorage {
    constructor() {
      super();
      storages.add(this);
    }
  }
  const provide = modules.require.bind(modules);
  modules.require = (/** @type {string} */ name) =>
    /^(node:)?async_hooks$/.test(name) ? { ...hooks, AsyncLocalStorage: NotedStorage } : provide(name);
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
