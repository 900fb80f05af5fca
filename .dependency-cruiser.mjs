const core = '^packages/core/src/';
const redis = '^packages/redis/src/';
const http = '^packages/http/src/';
const metrics = '^packages/metrics/src/';
const spec = '[.]spec[.]ts$';

/** The packages that a package may import, by their public names. They point down: none imports one that imports it. */
const PACKAGES = {
  core: [],
  redis: ['core'],
  http: ['core'],
  quotas: ['core'],
  overload: ['core', 'http'],
  metrics: ['core', 'http', 'quotas'],
  testing: ['core', 'quotas'],
  policies: ['core', 'http', 'metrics', 'overload', 'quotas'],
  express: ['core', 'http'],
  fastify: ['core', 'http'],
  hono: ['core', 'http'],
  nestjs: ['core', 'http'],
  prometheus: ['core', 'metrics'],
  opentelemetry: ['core', 'http', 'metrics'],
  dashboard: ['core', 'http', 'metrics', 'policies', 'quotas'],
  migrate: [],
  cli: ['core', 'dashboard', 'http', 'metrics', 'overload', 'policies', 'quotas', 'redis'],
};

/** @param {[string, readonly string[]]} entry */
function packageRule([name, to]) {
  const allowed = to.length > 0 ? [`^(packages/(${to.join('|')})/dist/|@sluice/(${to.join('|')})(/|$))`] : [];
  return {
    name: `${name}-imports-packages-below`,
    comment: `What @sluice/${name} may import: ${to.join(', ') || 'no other package of Sluice'}.`,
    severity: 'error',
    from: { path: `^packages/${name}/src/`, pathNot: spec },
    to: { path: '^(packages/|@sluice/|test/|examples/|bench/|scripts/)', pathNot: [`^packages/${name}/`, ...allowed] },
  };
}

/**
 * The rooms that a room of a package may import.
 *
 * @param {string} name
 * @param {{ in?: string, from: string, to: string[], comment: string }} rule
 */
function layer(name, { in: folder = core, from, to, comment }) {
  return {
    name,
    comment,
    severity: 'error',
    from: { path: `${folder}${from}`, pathNot: spec },
    to: { path: folder, pathNot: to.map((path) => `${folder}${path}`) },
  };
}

/**
 * @param {string} room
 * @param {string[]} to
 * @param {string} comment
 */
function redisRoom(room, to, comment) {
  return layer(`redis-${room.replace(/\W.*/, '')}-imports-down`, { in: redis, from: room, to: [room, ...to], comment });
}

/**
 * @param {string} room
 * @param {string} comment
 */
function alone(room, comment) {
  return {
    name: `${room}-imports-nothing`,
    comment,
    severity: 'error',
    from: { path: `${core}${room}/`, pathNot: spec },
    to: { pathNot: `${core}${room}/` },
  };
}

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'Files that import each other are one file.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    ...Object.entries(PACKAGES).map(packageRule),
    alone('model', 'Values know no other room, not Node and no other package.'),
    alone('async', 'Promises and values on their way know no other room.'),
    alone('cache', 'Caches know no other room.'),
    {
      name: 'options-know-values-only',
      comment: 'Options are checked with values. A check may give a warning.',
      severity: 'error',
      from: { path: `${core}options/`, pathNot: spec },
      to: { pathNot: [`${core}(model|options)/`, `${core}events/warning[.]ts$`] },
    },
    {
      name: 'algorithms-are-pure',
      comment: 'An algorithm is a function of integers: model and algorithms, no Node, no other package.',
      severity: 'error',
      from: { path: `${core}algorithms/`, pathNot: spec },
      to: { pathNot: [`${core}(model|options|algorithms)/`, `${core}waiting/turns-maker[.]ts$`] },
    },
    layer('scripts-are-data', {
      comment: 'Lua, and what makes the script of a policy of it.',
      from: 'scripts/',
      to: ['(model|algorithms|scripts)/'],
    }),
    layer('events-know-values-only', {
      comment: 'Events are made of values.',
      from: 'events/',
      to: ['(model|events)/'],
    }),
    layer('stores-know-model-and-algorithms', {
      comment: 'A store does not know its callers.',
      from: 'stores/',
      to: ['(model|async|cache|options|algorithms|stores|events|waiting)/'],
    }),
    layer('waiting-knows-values-only', {
      comment: 'A line knows what checks answer, and neither limiter nor store.',
      from: 'waiting/',
      to: ['(model|waiting)/'],
    }),
    layer('own-store-decides-by-states', {
      comment: 'An entry of the package, for stores of your own.',
      from: 'own-store/',
      to: ['(model|algorithms|own-store)/', 'stores/(answer|store|shared-stores)[.]ts$'],
    }),
    layer('wrappers-know-the-interface-only', {
      comment: 'with-* wraps any store: model, events, stores/store.ts and what wrappers share.',
      from: 'stores/(with-[^/.]+)',
      to: [
        '(model|async|cache|options|events|waiting)/',
        'stores/(store|closing|deny-cache|outbox|alarm)[.]ts$',
        'algorithms/concurrency/permit-policy[.]ts$',
        'stores/$1',
      ],
    }),
    {
      name: 'stores-stay-apart',
      comment: 'Memory and the wrappers do not import each other.',
      severity: 'error',
      from: { path: `${core}stores/(memory|with-[^/.]+)`, pathNot: spec },
      to: { path: `${core}stores/(memory|with-)`, pathNot: `${core}stores/$1` },
    },
    {
      name: 'compose-alone-knows-stores',
      comment:
        'Concrete stores are put together in stores/compose.ts and stores/shared-stores.ts, and offered by index.ts.',
      severity: 'error',
      from: {
        path: core,
        pathNot: [
          spec,
          `${core}stores/(memory|with-[^/.]+)`,
          `${core}stores/(compose|shared-stores|between-processes)[.]ts$`,
          `${core}(internal/)?index[.]ts$`,
        ],
      },
      to: { path: `${core}stores/(memory|with-)` },
    },
    layer('limiter-sees-no-concrete-store', {
      comment: 'The limiter knows policies and the interface of a store.',
      from: 'limiter/',
      to: [
        '(model|async|cache|options|algorithms|limiter|events|waiting)/',
        'stores/(store|keyspace|compose|inspections|limiters-of|without-store)[.]ts$',
      ],
    }),
    {
      name: 'entries-are-for-other-packages',
      comment: 'internal/, between-processes/ and scripts/index.ts only re-export, for the other packages.',
      severity: 'error',
      from: { path: core, pathNot: [spec, `${core}internal/`] },
      to: { path: `${core}(internal/|between-processes/|scripts/index[.]ts$)` },
    },
    redisRoom(
      'cluster[.]ts$',
      ['held-marks[.]ts$', 'client/hash-tag[.]ts$', 'connection/deadline[.]ts$'],
      'Requests over several hash tags.',
    ),
    redisRoom('batch/', ['connection/', 'encoding/', 'client/hash-tag[.]ts$'], 'A batch is encoded here, and sent.'),
    redisRoom('connection/', ['client/'], 'A connection sends script calls, and knows no checks.'),
    redisRoom('encoding/', ['client/hash-tag[.]ts$'], 'Checks become script calls, and replies become rulings.'),
    redisRoom('client/', [], 'A client runs scripts, and knows no deadline and no breaker.'),
    {
      name: 'redis-alone-loads-scripts',
      comment: 'A program that limits in memory loads no Lua.',
      severity: 'error',
      from: { path: '^packages/', pathNot: [spec, redis, core] },
      to: { path: '^(@sluice/core/scripts|packages/core/dist/[a-z]+/scripts[.])' },
    },
    layer('lists-know-values-only', {
      in: http,
      comment: 'Lists of networks that a store may keep.',
      from: 'lists/',
      to: ['(lists|networks)/'],
    }),
    layer('networks-know-values-only', {
      in: http,
      comment: 'Addresses, and sets of networks.',
      from: 'networks/',
      to: ['networks/'],
    }),
    layer('lists-are-imported-by-those-who-have-one', {
      in: http,
      comment: 'A program without a list loads none: the gate knows its type alone, and tools its keys and metrics.',
      from: '(?!lists/|internal/)',
      to: ['(?!lists/)', 'lists/ip-list-interface[.]ts$'],
    }),
    layer('adapter-is-an-entry', {
      in: http,
      comment: 'What adapters share stands above the gate.',
      from: '(?!adapter/|app/|index|internal/)',
      to: ['(?!adapter/|app/|index|internal/)'],
    }),
    layer('metrics-know-no-tools', {
      in: metrics,
      comment: 'Tools of operators may read metrics, and metrics know no tools.',
      from: '(?!operations/)',
      to: ['(?!operations/)'],
    }),
    {
      name: 'testing-is-for-tests',
      comment: '@sluice/testing is for tests alone.',
      severity: 'error',
      from: { path: '^packages/', pathNot: [spec, '^packages/testing/'] },
      to: { path: '^(packages/testing/|@sluice/testing)' },
    },
    {
      name: 'ioredis-stays-in-its-store',
      comment: 'The client is an optional peer: the Redis store alone may load it, and the command line.',
      severity: 'error',
      from: { path: '^packages/', pathNot: [spec, redis, '^packages/cli/'] },
      to: { path: '(^|/)ioredis(/|$)' },
    },
    {
      name: 'nothing-unresolved',
      comment: 'An import that cannot be resolved escapes all other rules.',
      severity: 'error',
      from: { path: '^packages/', pathNot: spec },
      to: { couldNotResolve: true, pathNot: '^@sluice/' },
    },
  ],
  options: {
    // TypeScript 7 has no API to parse with. This parser also sees imports of types.
    parser: 'swc',
    doNotFollow: { path: ['node_modules', '/dist/'] },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
