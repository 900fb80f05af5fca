const core = '^packages/core/src/';
const redis = '^packages/redis/src/';
const spec = '[.]spec[.]ts$';

/**
 * The packages that a package may import, by their public names. They point down: none imports one that imports it.
 *
 * @type {Readonly<Record<string, readonly string[]>>}
 */
export const PACKAGES = {
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
  server: ['core', 'dashboard', 'http', 'metrics', 'overload', 'policies', 'prometheus', 'quotas', 'redis'],
  cli: ['core', 'dashboard', 'http', 'metrics', 'overload', 'policies', 'quotas', 'redis'],
};

/**
 * @param {[string, readonly string[]]} entry
 * @returns {import('dependency-cruiser').IForbiddenRuleType}
 */
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
 * The rooms of each package in order, and the rooms above them in this list that each of them may import. A room is a folder
 * of `src`; a folder in it may be a room of its own, and then the outer room is its other files. `.` are the files beside the
 * folders.
 *
 * @type {Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>}
 */
export const ROOMS = {
  core: {
    model: [],
    async: [],
    cache: [],
    events: ['model'],
    waiting: ['model'],
    options: ['model', 'events'],
    algorithms: ['model', 'options'],
    'algorithms/backoff': ['model', 'options', 'algorithms'],
    'algorithms/concurrency': ['model', 'options', 'waiting', 'algorithms'],
    'algorithms/concurrency/wishes': ['algorithms', 'algorithms/concurrency'],
    'algorithms/fixed-window': ['model', 'options', 'algorithms'],
    'algorithms/pause': ['model', 'options', 'algorithms'],
    'algorithms/sliding-window-log': ['model', 'options', 'algorithms'],
    'algorithms/sliding-window': ['model', 'options', 'algorithms', 'algorithms/sliding-window-log'],
    'algorithms/multi-window': ['model', 'options', 'algorithms', 'algorithms/sliding-window'],
    'algorithms/token-bucket': ['model', 'options', 'algorithms'],
    'algorithms/leaky-bucket': ['model', 'options', 'algorithms', 'algorithms/token-bucket'],
    'algorithms/named': [
      'model',
      'options',
      'algorithms',
      'algorithms/backoff',
      'algorithms/concurrency',
      'algorithms/fixed-window',
      'algorithms/pause',
      'algorithms/sliding-window-log',
      'algorithms/sliding-window',
      'algorithms/multi-window',
      'algorithms/token-bucket',
      'algorithms/leaky-bucket',
    ],
    scripts: [
      'model',
      'algorithms',
      'algorithms/concurrency',
      'algorithms/fixed-window',
      'algorithms/sliding-window-log',
      'algorithms/sliding-window',
      'algorithms/token-bucket',
      'algorithms/multi-window',
      'algorithms/leaky-bucket',
    ],
    // What all stores share. A store names the layers before it: those of memory hold no code for several processes.
    stores: ['model', 'async', 'algorithms'],
    measures: ['model', 'stores'],
    'stores/layers': ['model', 'async', 'stores'],
    'stores/with-permits': [
      'model',
      'async',
      'events',
      'waiting',
      'algorithms/concurrency',
      'algorithms/concurrency/wishes',
      'stores',
      'stores/layers',
    ],
    'stores/composed': ['model', 'stores', 'stores/layers', 'stores/with-permits'],
    'stores/memory': [
      'model',
      'cache',
      'events',
      'options',
      'algorithms',
      'stores',
      'stores/with-permits',
      'stores/composed',
    ],
    'stores/with-lease': ['model', 'async', 'events', 'stores'],
    'stores/between-processes': [
      'model',
      'async',
      'cache',
      'events',
      'stores',
      'stores/layers',
      'stores/with-permits',
      'stores/composed',
      'stores/memory',
      'stores/with-lease',
    ],
    'own-store': ['model', 'algorithms', 'stores', 'stores/between-processes'],
    'limiter/keys': ['model', 'async', 'cache', 'events', 'stores'],
    'limiter/tiers': [
      'model',
      'async',
      'events',
      'options',
      'algorithms',
      'algorithms/named',
      'stores',
      'limiter/keys',
    ],
    'limiter/claims': ['model', 'async', 'options', 'stores', 'limiter/keys', 'limiter/tiers'],
    'limiter/decisions': [
      'model',
      'async',
      'events',
      'options',
      'stores',
      'limiter/keys',
      'limiter/tiers',
      'limiter/claims',
    ],
    limiter: [
      'model',
      'async',
      'cache',
      'events',
      'waiting',
      'options',
      'algorithms',
      'algorithms/pause',
      'algorithms/named',
      'stores',
      'stores/composed',
      'stores/memory',
      'limiter/keys',
      'limiter/tiers',
      'limiter/claims',
      'limiter/decisions',
    ],
    'between-processes': ['stores/with-permits', 'stores/between-processes'],
    internal: [
      'model',
      'async',
      'cache',
      'events',
      'waiting',
      'options',
      'algorithms',
      'algorithms/fixed-window',
      'algorithms/sliding-window',
      'algorithms/multi-window',
      'algorithms/leaky-bucket',
      'algorithms/named',
      'stores',
      'measures',
      'stores/layers',
      'stores/composed',
      'stores/with-permits',
      'limiter/keys',
      'limiter/tiers',
      'limiter/claims',
      'limiter/decisions',
      'limiter',
    ],
    '.': [
      'model',
      'async',
      'events',
      'algorithms/named',
      'stores',
      'stores/memory',
      'stores/composed',
      'limiter/keys',
      'limiter/tiers',
      'limiter/decisions',
      'limiter',
    ],
  },
  redis: {
    client: [],
    connection: ['client'],
    encoding: ['client'],
    batch: ['client', 'connection', 'encoding'],
    '.': ['client', 'connection', 'encoding', 'batch'],
  },
  http: {
    networks: [],
    lists: ['networks'],
    request: ['networks'],
    headers: ['request'],
    problem: ['headers'],
    visits: ['request', 'headers'],
    keys: ['networks', 'request', 'visits'],
    gate: ['networks', 'request', 'headers', 'problem', 'visits', 'keys'],
    'sign-in': ['request', 'keys', 'gate'],
    web: ['request', 'headers', 'problem', 'visits', 'gate'],
    app: ['networks', 'request', 'problem', 'keys', 'gate', 'sign-in'],
    adapter: ['request', 'problem', 'gate', 'web'],
    internal: ['networks', 'lists', 'request', 'visits', 'keys', 'gate'],
    '.': ['request', 'headers', 'gate', 'web', 'app'],
  },
  quotas: {
    credits: [],
    notices: [],
    usage: [],
    billing: ['usage'],
    ends: ['credits', 'usage'],
    '.': ['credits', 'ends', 'notices', 'usage'],
    internal: ['.', 'credits'],
  },
  overload: {
    shed: [],
    fair: [],
    line: [],
    queues: ['shed'],
    '.': ['shed'],
    internal: ['line', 'shed'],
  },
  metrics: { '.': [], operations: ['.'] },
  testing: { suite: [], '.': ['suite'] },
  policies: {
    overrides: [],
    document: ['overrides'],
    file: ['document'],
    scripts: [],
    audit: ['overrides', 'scripts'],
    fleet: ['document', 'overrides', 'scripts', 'audit'],
    '.': ['overrides', 'document', 'file', 'audit', 'fleet'],
    operations: ['document', 'audit', 'fleet', '.'],
  },
  express: { '.': [] },
  fastify: { '.': [] },
  hono: { '.': [] },
  nestjs: { limits: [], '.': ['limits'] },
  prometheus: { '.': [] },
  opentelemetry: { '.': [] },
  dashboard: { api: [], '.': ['api'] },
  server: {
    protobuf: [],
    access: [],
    rules: [],
    receipts: [],
    deciding: ['rules', 'receipts'],
    grpc: ['protobuf', 'access', 'rules', 'deciding'],
    http: ['access', 'rules', 'receipts', 'deciding'],
    operations: ['access'],
    '.': ['access', 'rules', 'receipts', 'deciding', 'grpc', 'http', 'operations'],
    program: ['.'],
  },
  migrate: {
    source: [],
    limits: ['source'],
    peers: ['source', 'limits'],
    '.': ['source', 'limits', 'peers'],
  },
  cli: {
    failure: [],
    terminal: ['failure'],
    sources: ['failure'],
    invocation: ['failure', 'terminal', 'sources'],
    charts: ['failure', 'terminal'],
    limits: ['failure', 'sources'],
    'logs/lines': [],
    'logs/formats': ['failure', 'logs/lines'],
    logs: ['failure', 'logs/lines', 'logs/formats'],
    'replay/kinds': ['terminal', 'logs/lines'],
    replay: [
      'failure',
      'terminal',
      'invocation',
      'charts',
      'limits',
      'logs/lines',
      'logs/formats',
      'logs',
      'replay/kinds',
    ],
    'simulate/random': [],
    'simulate/shed': ['failure', 'terminal', 'invocation', 'charts', 'simulate/random'],
    'simulate/fair': ['failure', 'terminal', 'invocation', 'charts', 'simulate/random'],
    'simulate/workers': ['failure', 'terminal', 'limits', 'charts', 'simulate/random'],
    simulate: [
      'simulate/workers',
      'failure',
      'terminal',
      'invocation',
      'charts',
      'limits',
      'simulate/random',
      'simulate/shed',
      'simulate/fair',
    ],
    keys: ['failure', 'terminal', 'sources', 'invocation'],
    clients: ['failure', 'terminal', 'sources', 'keys'],
    'doctor/checks': ['terminal', 'sources', 'keys'],
    doctor: ['failure', 'terminal', 'sources', 'invocation', 'keys', 'doctor/checks'],
    policies: ['failure', 'terminal', 'sources', 'invocation', 'limits', 'replay', 'keys', 'clients'],
    explain: ['failure', 'terminal', 'invocation', 'clients', 'policies'],
    forget: ['failure', 'terminal', 'sources', 'invocation', 'keys', 'clients', 'policies'],
    history: ['failure', 'terminal', 'sources', 'invocation', 'clients'],
    look: ['failure', 'invocation', 'clients'],
    usage: ['failure', 'invocation', 'clients'],
    live: ['failure', 'terminal', 'invocation'],
    bench: ['failure', 'terminal', 'sources', 'invocation'],
    monitoring: ['failure', 'invocation'],
    completion: ['failure', 'invocation'],
    commands: [
      'invocation',
      'logs/formats',
      'replay',
      'simulate',
      'keys',
      'doctor',
      'policies',
      'explain',
      'forget',
      'history',
      'look',
      'usage',
      'live',
      'bench',
      'monitoring',
      'completion',
    ],
    '.': ['failure', 'terminal', 'commands'],
  },
};

/** Rooms of core that know no other package and not Node. */
const PURE = ['model', 'async', 'cache', 'algorithms'];

/**
 * The files of a room, as a pattern: without those of rooms within it.
 *
 * @param {string} source
 * @param {string} room
 * @param {readonly string[]} rooms all of the package
 */
function filesOf(source, room, rooms) {
  if (room === '.') return `${source}[^/]+$`;
  const inner = rooms.filter((other) => other.startsWith(`${room}/`)).map((other) => other.slice(room.length + 1));
  return `${source}${room}/${inner.length > 0 ? `(?!(${inner.join('|')})/)` : ''}`;
}

/**
 * @param {[string, Readonly<Record<string, readonly string[]>>]} entry
 * @returns {import('dependency-cruiser').IForbiddenRuleType[]}
 */
function roomRules([name, rooms]) {
  const source = `^packages/${name}/src/`;
  const names = Object.keys(rooms);
  return Object.entries(rooms).map(([room, below]) => {
    const others = [room, ...below].map((allowed) => filesOf(source, allowed, names));
    const isPure = name === 'core' && PURE.includes(room.split('/')[0] ?? '');
    return {
      name: `${name}-${room === '.' ? 'files' : room.replaceAll('/', '-')}-imports-down`,
      comment: `What this room of @sluice/${name} may import: ${below.join(', ') || 'no other room'}.`,
      severity: 'error',
      from: { path: filesOf(source, room, names), pathNot: spec },
      to: isPure ? { pathNot: others } : { path: source, pathNot: others },
    };
  });
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
    ...Object.entries(ROOMS).flatMap(roomRules),
    {
      name: 'entries-are-for-other-packages',
      comment: 'internal/, between-processes/ and scripts/index.ts only re-export, for the other packages.',
      severity: 'error',
      from: { path: core, pathNot: [spec, `${core}internal/`] },
      to: { path: `${core}(internal/|between-processes/|scripts/index[.]ts$)` },
    },
    {
      name: 'redis-alone-loads-scripts',
      comment: 'A program that limits in memory loads no Lua.',
      severity: 'error',
      from: { path: '^packages/', pathNot: [spec, redis, core] },
      to: { path: '^(@sluice/core/scripts|packages/core/dist/[a-z]+/scripts[.])' },
    },
    {
      name: 'http-loads-no-list',
      comment: 'A program without a list of addresses loads none.',
      severity: 'error',
      from: { path: '^packages/http/src/', pathNot: [spec, '^packages/http/src/(lists|internal)/'] },
      to: { path: '^packages/http/src/lists/' },
    },
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
