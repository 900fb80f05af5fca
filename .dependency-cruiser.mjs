const core = '^packages/core/src/';
const adapters = '^packages/(?!core/)[^/]+/src/';
const spec = '[.]spec[.]ts$';

/**
 * The rooms that a room of core may import.
 *
 * @param {string} name
 * @param {{ from: string, to: string[], comment: string }} rule
 */
function layer(name, { from, to, comment }) {
  return {
    name,
    comment,
    severity: 'error',
    from: { path: `${core}${from}`, pathNot: spec },
    to: { path: core, pathNot: to.map((path) => `${core}${path}`) },
  };
}

/**
 * What a room of the Redis store may import of the others. The store itself imports all of them.
 *
 * @param {string} room
 * @param {string[]} to
 * @param {string} comment
 */
function redisRoom(room, to, comment) {
  return {
    name: `redis-${room.replace(/\W.*/, '')}-imports-down`,
    comment,
    severity: 'error',
    from: { path: `${core}stores/redis/${room}`, pathNot: spec },
    to: { path: `${core}stores/redis/`, pathNot: [room, ...to].map((path) => `${core}stores/redis/${path}`) },
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
    {
      name: 'model-imports-nothing',
      comment: 'Values know no other room, not Node and no other package.',
      severity: 'error',
      from: { path: `${core}model/`, pathNot: spec },
      to: { pathNot: `${core}model/` },
    },
    {
      name: 'async-imports-nothing',
      comment: 'Promises and values on their way know no other room.',
      severity: 'error',
      from: { path: `${core}async/`, pathNot: spec },
      to: { pathNot: `${core}async/` },
    },
    {
      name: 'cache-imports-nothing',
      comment: 'Caches know no other room.',
      severity: 'error',
      from: { path: `${core}cache/`, pathNot: spec },
      to: { pathNot: `${core}cache/` },
    },
    {
      name: 'options-know-values-only',
      comment:
        'Options are checked with values; one dependency finds the nearest known option. A check may give a warning.',
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
      comment: 'Memory, Redis and the wrappers do not import each other.',
      severity: 'error',
      from: { path: `${core}stores/(memory|redis|with-[^/.]+)`, pathNot: spec },
      to: { path: `${core}stores/(memory|redis|with-)`, pathNot: `${core}stores/$1` },
    },
    redisRoom(
      'cluster[.]ts$',
      ['held-marks[.]ts$', 'client/hash-tag[.]ts$', 'connection/deadline[.]ts$'],
      'Requests over several hash tags.',
    ),
    redisRoom('batch/', ['connection/', 'encoding/', 'client/hash-tag[.]ts$'], 'A batch is encoded here, and sent.'),
    redisRoom('connection/', ['client/'], 'A connection sends script calls, and knows no checks.'),
    redisRoom(
      'encoding/',
      ['lua/', 'client/hash-tag[.]ts$'],
      'Checks become script calls, and replies become rulings.',
    ),
    redisRoom('client/', ['lua/'], 'A client runs scripts, and knows no deadline and no breaker.'),
    redisRoom('lua/', [], 'Scripts are data.'),
    {
      name: 'compose-alone-knows-stores',
      comment:
        'Concrete stores are put together in stores/compose.ts and stores/shared-stores.ts, and offered by index.ts and testing.',
      severity: 'error',
      from: {
        path: core,
        pathNot: [
          spec,
          `${core}stores/(memory|redis|with-[^/.]+)`,
          `${core}stores/(compose|shared-stores|between-processes)[.]ts$`,
          `${core}((app|redis)/)?index[.]ts$`,
          `${core}testing/`,
        ],
      },
      to: { path: `${core}stores/(memory|redis|with-)` },
    },
    {
      name: 'memory-loads-no-redis',
      comment:
        'A program that limits in memory loads no Redis: the entry redis/ alone offers it, here and in adapters.',
      severity: 'error',
      from: {
        path: '^packages/',
        pathNot: [spec, `${core}stores/redis/`, '/src/redis/index[.]ts$', '^packages/cli/'],
      },
      to: { path: [`${core}stores/redis/`, `${core}redis/`, 'core/dist/[a-z]+/redis[.]', 'core/redis$'] },
    },
    layer('limiter-sees-no-concrete-store', {
      comment: 'The limiter knows policies and the interface of a store.',
      from: 'limiter/',
      to: [
        '(model|async|cache|options|algorithms|limiter|events|waiting)/',
        'stores/(store|keyspace|compose|inspections|limiters-of|without-store)[.]ts$',
      ],
    }),
    layer('overrides-wrap-the-limiter', {
      comment: 'Overrides are a room of their own: a program without them does not load it.',
      from: 'overrides/',
      to: ['(model|async|options|algorithms|limiter|events|overrides)/', 'stores/(store|limiters-of)[.]ts$'],
    }),
    layer('metrics-read-events-and-views', {
      comment: 'Metrics listen, and wrap nothing: events, decisions and what stores and limiters show of themselves.',
      from: 'metrics/',
      to: [
        '(model|async|options|events|metrics)/',
        'limiter/(decisions/|(arguments|limiter)[.]ts$)',
        'stores/(store|stats-of|store-stats|limiters-of|exports-of)[.]ts$',
        'lists/lists-of[.]ts$',
      ],
    }),
    layer('shed-gives-gates-a-shedder', {
      comment: 'A shedder is an entry of the package: no gate loads it.',
      from: 'shed/',
      to: [
        '(model|async|options|events|shed)/',
        'http/gate/(has-left|shedding|visit)[.]ts$',
        'http/keys/(header|ip)[.]ts$',
        'http/(peer-address|proxies-option|request)[.]ts$',
        'limiter/(key-function|known-facts)[.]ts$',
        'limiter/claims/(call-user-function|store-keys)[.]ts$',
        'limiter/decisions/tiered-decision[.]ts$',
      ],
    }),
    layer('quotas-are-added', {
      comment: 'Credits, notices and usage are a room of their own: a program without them does not load it.',
      from: 'quotas/',
      to: [
        '(model|async|options|algorithms|limiter|events|quotas)/',
        'stores/(store|usage-ledger|usage-key|limiters-of|exports-of)[.]ts$',
      ],
    }),
    layer('fair-is-added', {
      comment: 'Shares of a limit in flight are a room of their own: a program without them does not load it.',
      from: 'fair/',
      to: ['(model|async|options|algorithms|waiting|fair)/', 'limiter/(claims|tiers)/', 'limiter/key-function[.]ts$'],
    }),
    layer('operations-read-views', {
      comment:
        'Tools of operators read what stores and limiters show of themselves, and which keys they write. The index is an entry of the package.',
      from: 'operations/(?!index)',
      to: [
        '(model|http|lists|operations)/',
        'limiter/decisions/',
        'stores/(limiters-of|store)[.]ts$',
        '(algorithms/state|quotas/[a-z/]+|stores/beside)-keys[.]ts$',
      ],
    }),
    layer('lists-know-the-interface-of-a-store', {
      comment: 'Networks, and lists of them that a store may keep.',
      from: 'lists/',
      to: ['(model|options|events|lists)/', 'stores/(store|keyspace)[.]ts$'],
    }),
    layer('http-sees-no-store', {
      comment: 'HTTP translates decisions: model and limiter.',
      from: 'http/',
      to: ['(model|async|cache|options|limiter|http|events|lists|waiting)/'],
    }),
    {
      name: 'testing-is-for-tests',
      comment: '@sluice/core/testing is its own entry.',
      severity: 'error',
      from: { path: core, pathNot: [spec, `${core}testing/`] },
      to: { path: `${core}testing/` },
    },
    {
      name: 'core-stands-alone',
      comment: 'Core knows no other folder of the workspace.',
      severity: 'error',
      from: { path: core, pathNot: spec },
      to: { path: '^(packages/(?!core/)|test/|examples/|bench/|scripts/)' },
    },
    {
      name: 'adapters-use-the-public-name',
      comment: 'Adapters import the public name. The build of core is that name after compilation.',
      severity: 'error',
      from: { path: adapters, pathNot: spec },
      to: {
        path: '^(packages/core|@sluice/core)/',
        pathNot:
          '^(packages/core/dist|@sluice/core/(adapter|app|metrics|operations|overrides|fair|quotas|redis|shed|testing)$)',
      },
    },
    {
      name: 'adapters-stay-apart',
      comment:
        'An adapter knows core and its framework. The command line knows the messages of the dashboard, and the policies.',
      severity: 'error',
      from: {
        path: '^packages/((?!core/)[^/]+)/src/',
        pathNot: [spec, '^packages/cli/src/((live|policies)/|limits/(policy-tiers|routes)[.]ts$|keys/key-table[.]ts$)'],
      },
      to: { path: '^(packages/(?!core/)|test/|examples/|bench/|scripts/)', pathNot: '^packages/$1/' },
    },
    {
      name: 'ioredis-stays-in-its-store',
      comment: 'The client is an optional peer: stores/redis alone may load it, and the command line.',
      severity: 'error',
      from: { path: '^packages/', pathNot: [spec, `${core}stores/redis/`, '^packages/cli/'] },
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
