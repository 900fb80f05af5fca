const core = '^packages/core/src/';
const redis = '^packages/redis/src/';
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
 * The rooms of each package in order, and the rooms below that each of them may import. A room is a folder of `src`; `.` are
 * the files beside the folders, where a room above them needs them.
 *
 * @type {Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>}
 */
const ROOMS = {
  core: {
    model: [],
    async: [],
    cache: [],
    events: ['model'],
    waiting: ['model'],
    options: ['model', 'events'],
    algorithms: ['model', 'options', 'waiting'],
    scripts: ['model', 'algorithms'],
    stores: ['model', 'async', 'cache', 'events', 'waiting', 'options', 'algorithms'],
    'own-store': ['model', 'algorithms', 'stores'],
    limiter: ['model', 'async', 'cache', 'events', 'waiting', 'options', 'algorithms', 'stores'],
  },
  redis: {
    client: [],
    connection: ['client'],
    encoding: ['client'],
    batch: ['client', 'connection', 'encoding'],
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
  },
  quotas: { credits: [], notices: [], usage: [] },
  overload: { shed: [], fair: [] },
  metrics: { '.': [], operations: ['.'] },
  policies: {
    overrides: [],
    document: ['overrides'],
    file: ['document'],
    fleet: ['document', 'overrides'],
    '.': ['overrides', 'document', 'file', 'fleet'],
    operations: ['document', 'fleet', '.'],
  },
};

/** Rooms of core that know no other package and not Node. */
const PURE = ['model', 'async', 'cache', 'algorithms'];

/**
 * @param {string} source
 * @param {string} room
 */
function inRoom(source, room) {
  return room === '.' ? `${source}[^/]+$` : `${source}${room}/`;
}

/** @param {[string, Readonly<Record<string, readonly string[]>>]} entry */
function roomRules([name, rooms]) {
  const source = `^packages/${name}/src/`;
  return Object.entries(rooms).map(([room, below]) => {
    const others = [room, ...below].map((allowed) => inRoom(source, allowed));
    const isPure = name === 'core' && PURE.includes(room);
    return {
      name: `${name}-${room === '.' ? 'files' : room}-imports-down`,
      comment: `What this room of @sluice/${name} may import: ${below.join(', ') || 'no other room'}.`,
      severity: 'error',
      from: { path: inRoom(source, room), pathNot: [spec, `${source}index[.]ts$`] },
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
      name: 'stores-stay-apart',
      comment:
        'Memory and the wrappers know what all stores share, but neither each other nor what puts them together.',
      severity: 'error',
      from: { path: `${core}stores/(memory|with-[^/.]+)`, pathNot: spec },
      to: { path: `${core}stores/(memory|with-|composed)`, pathNot: `${core}stores/$1` },
    },
    {
      name: 'composed-alone-knows-stores',
      comment: 'Concrete stores are put together in stores/composed, and offered by the entries.',
      severity: 'error',
      from: {
        path: core,
        pathNot: [spec, `${core}stores/(memory|with-[^/.]+|composed/)`, `${core}(internal/)?index[.]ts$`],
      },
      to: { path: `${core}stores/(memory|with-)` },
    },
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
