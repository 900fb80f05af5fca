import { migrationOf } from '../../packages/migrate/src/migrate.js';

const ERL = "import { rateLimit } from 'express-rate-limit';\n";
const REDIS = `${ERL}import { RedisStore } from 'rate-limit-redis';\n`;
const FRL = "import rateLimit from '@fastify/rate-limit';\n";
const HR = "import { rateLimiter } from 'hono-rate-limiter';\n";
const SEND = 'sendCommand: (...args) => client.call(...args)';

/** What becomes of an application, file by file. */
async function appOf(files: Readonly<Record<string, string>>) {
  const { changed, translations } = await migrationOf(new Map(Object.entries(files)));
  return {
    text: (path: string) => changed.get(path)!,
    reasons: translations.flatMap(({ unread }) => unread.map(({ what, hand }) => `${what}: ${hand}`)),
    notes: translations.flatMap(({ differences }) => differences.map((each) => each.text)).join('\n'),
  };
}

async function programOf(text: string, path = 'app.ts') {
  const app = await appOf({ [path]: text });
  return { ...app, text: app.text(path) };
}

/** Text in one line. */
function lineOf(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll(', }', ' }');
}

describe('@sluice/migrate, of what a limit leaves behind', () => {
  it('removes functions and constants that only dropped options needed, with their comments', async () => {
    const { text } = await programOf(
      `import { isIP } from 'node:net';\n${ERL}const HEADER = 'x-real-ip';\n\n/** The client. */\nfunction clientOf(req: Request) {\n  return isIP(String(req.headers['x-real-ip'] ?? HEADER)) ? req.headers['x-real-ip'] : req.ip;\n}\n\nrateLimit({ max: 5, keyGenerator: clientOf });\n`,
    );

    expect(text).toBe(
      "import { byIp, rateLimit } from '@sluice/express';\nrateLimit({ limit: 5, key: byIp(), window: '1m', algorithm: 'fixed-window' });\n",
    );
  });

  it.each([
    [
      'a call that may do something',
      'const key = read();\nrateLimit({ keyGenerator: (req) => req.ip, skip: () => key });',
    ],
    ['what was unused before', 'const unused = 1;\nrateLimit({ max: 5 });'],
    ['what it exports', 'export const keyOf = (req) => req.ip;\nrateLimit({ keyGenerator: keyOf });'],
  ])('keeps %s', async (_name, program) => {
    const { text } = await programOf(`${ERL}${program}\n`);

    expect(text).toContain(program.split('\n', 1)[0]);
  });

  it('keeps the types that numbers are asserted to have', async () => {
    const { text } = await programOf(`${ERL}rateLimit({ max: config.max as number, windowMs: config.window! });\n`);

    expect(text).toContain('limit: config.max as number, window: config.window!');
  });

  it.each([
    [
      'Math.ceil((req.rateLimit?.resetTime ?? 0) / 1000)',
      'Math.ceil(((Date.now() + (req.rateLimit?.binding?.resetAfter ?? 0))) / 1000)',
    ],
    ['req.rateLimit.resetTime - now', '(Date.now() + (req.rateLimit?.binding?.resetAfter ?? 0)) - now'],
    ['req.rateLimit.resetTime', 'new Date(Date.now() + (req.rateLimit?.binding?.resetAfter ?? 0))'],
  ])('calculates with numbers: %s', async (read, written) => {
    const { text } = await programOf(
      `${ERL}rateLimit({ max: 5, handler: (req, res) => { res.status(429).json({ at: ${read} }); } });\n`,
    );

    expect(text).toContain(`json({ at: ${written} })`);
  });

  it('gives a plugin that is required its type', async () => {
    const program = "app.register(require('@fastify/rate-limit'), { max: 5 });\n";

    expect((await programOf(program)).text).toContain(
      "register(require('@sluice/fastify') as typeof import('@sluice/fastify').rateLimit, {",
    );
    expect((await programOf(program, 'app.js')).text).toContain("register(require('@sluice/fastify'), {");
  });

  it('drops a comment that tells a tool of a line which is gone', async () => {
    const { text, reasons } = await programOf(
      `${REDIS}rateLimit({\n  max: 5,\n  store: new RedisStore({\n    // @ts-expect-error -- of their types\n    // Shared.\n    ${SEND},\n  }),\n});\n`,
    );

    expect(reasons).toEqual([]);
    expect(text).not.toContain('@ts-expect-error');
    expect(text).toContain('// Shared.');
  });
});

describe('@sluice/migrate, of a store', () => {
  it.each([
    ['...(shared && { store: shared })', "...(shared ? { name: 'api', store: shared } : {})"],
    ['...(shared ? { store: shared } : {})', "...(shared ? { name: 'api', store: shared } : {})"],
    [
      `...(isLive && { store: new RedisStore({ prefix: 'rl:api:', ${SEND} }) })`,
      "...(isLive ? { name: 'api', store: redisStore(client) } : {})",
    ],
    ['...(isLive ? { store: own } : {})', "...(isLive ? { name: 'api', store: own } : {})"],
    ["store: storeOf('rl:a:')", "name: 'a', store: storeOf('rl:a:')"],
    ['store: storeOf(`rl:${process.env.APP}:a:`)', "name: 'a', prefix: process.env.APP, store: storeOf("],
  ])('that a program makes elsewhere or on a condition keeps its place: %s', async (option, ours) => {
    const { text, reasons } = await programOf(
      `${REDIS}const storeOf = (prefix) => new RedisStore({ prefix, ${SEND} });
const shared = client ? new RedisStore({ prefix: 'rl:api:', ${SEND} }) : undefined;
const own = new RedisStore({ prefix: 'rl:api:', ${SEND} });
export const uses = [storeOf, shared, own];
rateLimit({ max: 5, ${option} });
`
        .replace(/^const (\w+) = .*\n/gm, (line, name: string) => (option.includes(name) ? line : ''))
        .replace(/^export.*\n/m, ''),
      'app.js',
    );

    expect(reasons).toEqual([]);
    expect(lineOf(text)).toContain(ours);
    expect(text).not.toContain('rate-limit-redis');
  });

  it('of a function has the name that the function gets', async () => {
    const { text } = await programOf(
      `${REDIS}const storeOf = (kind) => new RedisStore({ prefix: \`rl:\${kind}:\`, ${SEND} });\nexport const limitOf = (kind, max) => rateLimit({ max, store: storeOf(kind) });\n`,
      'app.js',
    );

    expect(lineOf(text)).toContain('name: kind, store: storeOf(kind)');
  });

  it('of hono-rate-limiter is that of the client behind its adapter', async () => {
    const { text, reasons } = await programOf(
      "import { rateLimiter, RedisStore } from 'hono-rate-limiter';\nconst client = { evalsha: (sha, keys, args) => redis.evalsha(sha, keys.length, ...keys, ...args) };\nrateLimiter({ limit: 5, keyGenerator: (c) => c.get('id'), store: new RedisStore({ client, prefix: 'hrl:api:' }) });\n",
      'app.js',
    );

    expect(reasons).toEqual([]);
    expect(lineOf(text)).toContain("name: 'api', store: redisStore(redis)");
    expect(text).not.toContain('evalsha');
  });

  it('has the name of a parameter that all keys of a function begin with', async () => {
    const { text } = await programOf(
      `${REDIS}export const limitOf = (kind, max) => rateLimit({ max, keyGenerator: (req) => { if (req.user) return \`\${kind}:\${req.user.id}\`; return \`\${kind}-\${req.body.id}\`; }, store: new RedisStore({ prefix: 'rl:', ${SEND} }) });\n`,
      'app.js',
    );

    expect(lineOf(text)).toContain('name: kind, store: redisStore(client)');
  });

  it('of the program that counts in a map is ours without a store', async () => {
    const files = (more = '') => ({
      'store.ts': `import type { ClientRateLimitInfo, Store } from 'hono-rate-limiter';\n${more}export class OwnStore implements Store {\n  hits = new Map();\n  async increment(key: string): Promise<ClientRateLimitInfo> { return ${more ? 'redis' : 'this.hits'}.get(key); }\n}\n`,
      'app.ts': `import { OwnStore } from './store';\n${HR}let store: OwnStore | null = null;\nstore = new OwnStore();\nrateLimiter({ limit: 5, store, keyGenerator: (c) => c.get('id') });\n`,
    });

    const app = await appOf(files());

    expect(app.reasons).toEqual([]);
    expect(app.text('store.ts')).toContain(
      'export class OwnStore {\n  hits = new Map();\n  async increment(key: string): Promise<{ totalHits: number; resetTime: Date | undefined }>',
    );
    expect(app.text('app.ts')).not.toContain('store,');
    expect(app.notes).toContain('OwnStore counts in memory');
    expect((await appOf(files("import { redis } from './redis';\n"))).reasons.join()).toContain('only those of Redis');
  });

  it('of a client of node-redis before version 4 is refused', async () => {
    const { reasons } = await programOf(
      "const { RateLimiterRedis } = require('rate-limiter-flexible');\nconst client = redis.createClient({ host: 'a', enable_offline_queue: false });\nconst limiter = new RateLimiterRedis({ redis: client, points: 5 });\n",
      'app.js',
    );

    expect(reasons).toEqual([expect.stringContaining('of node-redis before version 4')]);
  });
});

describe('@sluice/migrate, of hono-rate-limiter', () => {
  it('says who is counted without keyGenerator', async () => {
    expect((await programOf(`${HR}rateLimiter({ limit: 5 });\n`)).notes).toContain('Without keyGenerator');
    expect((await programOf(`${HR}rateLimiter({ keyGenerator: (c) => c.get('id') });\n`)).notes).not.toContain(
      'Without keyGenerator',
    );
  });

  it('reads a handler that looks whether the message is a function', async () => {
    const { text, reasons } = await programOf(
      `${HR}const answer = (c, status, text) => c.json({ text }, status);\nrateLimiter({ message: 'later', keyGenerator: (c) => c.get('id'), async handler(c, _next, options) {\n  const text = typeof options.message === 'function' ? await options.message(c) : options.message;\n  return answer(c, options.statusCode, text);\n} });\n`,
      'app.js',
    );

    expect(reasons).toEqual([]);
    expect(text).toContain("const text = 'later';\n  return answer(c, 429, text);");
  });
});

describe('@sluice/migrate, of @fastify/rate-limit', () => {
  it.each(['route.config = { rateLimit: { max: 3 } };', 'route.config.rateLimit = { max: 3 };'])(
    'translates the limit that a hook gives to routes: %s',
    async (line) => {
      const { text } = await programOf(
        `${FRL}app.register(rateLimit, { global: false });\napp.addHook('onRoute', (route) => { ${line} });\n`,
      );

      expect(text).toContain(line.replace('{ max: 3 }', "{ limit: 3, window: '1m', algorithm: 'fixed-window' }"));
    },
  );

  it.each([
    ['onExceeded: (r) => app.log.warn(r.ip)', '(request) => { app.log.warn(request.ip); throw Object.assign('],
    [
      'onExceeded: (r, key) => { log.warn(key); }, errorResponseBuilder: (q, c) => ({ statusCode: 429, wait: c.ttl })',
      '(q) => { log.warn(q.ip); throw { statusCode: 429, wait: (q.rateLimit?.retryAfter ?? 0) }; }',
    ],
  ])('logs a denial where it answers it: %s', async (options, ours) => {
    const { text, reasons } = await programOf(`${FRL}app.register(rateLimit, { ${options} });\n`);

    expect(reasons).toEqual([]);
    expect(text).toContain(`onDenied: ${ours}`);
  });

  it.each([
    ['onExceeded: (request) => ban(request.ip)', 'onExceeded does more than log'],
    ["onExceeded: (r, key) => log.warn(key), keyGenerator: (r) => r.headers['x-key']", 'onExceeded reads the key'],
    ['onExceeding: (request) => count(request)', 'onExceeding does more than log'],
  ])('refuses a callback that does more: %s', async (option, reason) => {
    const { reasons } = await programOf(`${FRL}app.register(rateLimit, { ${option} });\n`);

    expect(reasons.join()).toContain(reason);
  });

  it('gives routes of other files a key whose parameter has a name that the file uses elsewhere', async () => {
    const app = await appOf({
      'plugin.ts': `${FRL}app.register(rateLimit, { global: false, keyGenerator: (req) => req.user?.sub ?? req.ip, errorResponseBuilder: (req, context) => ({ statusCode: 429, wait: context.ttl }) });\n`,
      'routes.ts': "app.get('/', { config: { rateLimit: { max: 2 } } }, handler);\n",
    });

    expect(app.reasons).toEqual([]);
    expect(app.text('routes.ts')).toContain(
      "key: by('client', (req: import('fastify').FastifyRequest) => req.user?.sub)",
    );
  });

  it.each([
    ['limits.ts', `${FRL}import { BASE } from './base';\napp.register(rateLimit, { max: 5, ...BASE });\n`],
    [
      'limits.ts',
      "import { BASE } from './base';\nimport { RateLimiterMemory } from 'rate-limiter-flexible';\nnew RateLimiterMemory({ points: 5, ...BASE });\n",
    ],
  ])('refuses options that another file has, which it does not translate there: %s', async (path, text) => {
    const app = await appOf({ [path]: text, 'base.ts': "export const BASE = { timeWindow: '1 minute' };\n" });

    expect(app.reasons.join()).toContain('more options are those of base.ts, which other limits may have too');
    expect(app.text(path)).toBe(text);
  });

  it('drops an empty allowList, a client that is undefined, and a log of admitted requests', async () => {
    const { text, notes } = await programOf(
      `${FRL}app.register(rateLimit, { max: 5, allowList: [], redis: undefined, onExceeding: () => log.info('one') });\n`,
    );

    expect(text).toContain("{ limit: 5, window: '1m', algorithm: 'fixed-window' }");
    expect(notes).toContain('onExceeding');
  });

  it('takes allowList as addresses where keyGenerator returns the address', async () => {
    const { text, reasons } = await programOf(
      `${FRL}app.register(rateLimit, { allowList: ['127.0.0.1'], keyGenerator: (request) => request.ip });\n`,
    );

    expect(reasons).toEqual([]);
    expect(text).toContain("allow: ['127.0.0.1']");
  });

  it.each([
    ['app.rateLimit()', 'app.setNotFoundHandler((q, r) => r.code(404).send())', false],
    [
      'app.rateLimit({ max: 2 })',
      "app.rateLimit({ limit: 2, window: '1m', algorithm: 'fixed-window', name: 'not-found' })",
      true,
    ],
  ])('translates the limit of 404s beside that of the plugin: %s', async (hook, ours, isNoted) => {
    const { text, reasons, notes } = await programOf(
      `${FRL}app.register(rateLimit, { max: 100 });\napp.setNotFoundHandler({ preHandler: ${hook} }, (q, r) => r.code(404).send());\n`,
    );

    expect(reasons).toEqual([]);
    expect(lineOf(text)).toContain(ours);
    expect(notes.includes('A 404 counts')).toBe(isNoted);
  });
});

describe('@sluice/migrate, of rate-limiter-flexible', () => {
  const RLF = "import { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible';\n";

  it('declares no interface beside an import of the same name', async () => {
    const { text, reasons } = await programOf(
      `${RLF}const isRedis = (limiter: RateLimiterRedis | RateLimiterMemory) => limiter instanceof RateLimiterRedis;\n`,
    );

    expect(reasons.join()).toContain('RateLimiterRedis is compared by instanceof');
    expect(text).not.toContain('interface RateLimiterRedis');
  });

  it.each([
    [
      'a function with a type',
      'export function clientOf(): Redis { return client; }',
      'clientOf()',
      'redisStore(clientOf())',
    ],
    [
      'a function that makes it once',
      'let client;\nexport const clientOf = () => {\n  client ??= new Redis();\n  return client;\n};',
      'clientOf()',
      'redisStore(clientOf())',
    ],
    ['a parameter', 'export function limit(client: RedisClientType) { return 1; }', 'client', 'clientOf({ send'],
  ])('knows the client of %s', async (_name, declared, given, store) => {
    const limiter = `import { RateLimiterRedis } from 'rate-limiter-flexible';\nconst limiter = new RateLimiterRedis({ storeClient: ${given}, keyPrefix: 'a', points: 2 });\n`;
    const types = "import { Redis } from 'ioredis';\nimport type { RedisClientType } from 'redis';\n";
    const isHere = given === 'client';
    const app = await appOf({
      'redis.ts': types + declared,
      'limits.ts': isHere ? types + declared + limiter : `import { clientOf } from './redis';\n${limiter}`,
    });

    expect(app.reasons).toEqual([]);
    expect(app.text('limits.ts')).toContain(store);
  });

  it('refuses a client whose type is of node-redis before version 4', async () => {
    const { reasons } = await programOf(
      "import redis from 'redis';\nimport { RateLimiterRedis } from 'rate-limiter-flexible';\nlet client: redis.RedisClient;\nnew RateLimiterRedis({ storeClient: client, keyPrefix: 'a', points: 2 });\n",
    );

    expect(reasons.join()).toContain('the client is of node-redis before version 4');
  });

  it('says what isFirstInDuration is, where the program reads it', async () => {
    const program = `${RLF}const limiter = new RateLimiterMemory({ points: 5 });\n`;

    expect((await programOf(program)).notes).not.toContain('isFirstInDuration');
    expect((await programOf(`${program}say(result.isFirstInDuration);\n`)).notes).toContain('isFirstInDuration');
  });
});

describe('@sluice/migrate, of @nestjs/throttler', () => {
  const GUARDED = '{ provide: APP_GUARD, useClass: ThrottlerGuard }';
  const moduleOf = (rest: string, ttl = '60_000') =>
    `import { ThrottlerGuard, ThrottlerModule } from '@nestjs/throttler';\n@Module({ imports: [ThrottlerModule.forRoot([{ ttl: ${ttl}, limit: 5 }])]${rest} })\nexport class AppModule {}\n`;
  const CONTROLLER =
    "import { Controller, UseGuards } from '@nestjs/common';\nimport { Throttle, ThrottlerGuard } from '@nestjs/throttler';\n@Controller()\nexport class Api {\n  @UseGuards(ThrottlerGuard)\n  @Throttle({ default: { ttl: 60_000, limit: 1 } })\n  one() {}\n\n  @Throttle({ default: { ttl: 60_000, limit: 2 } })\n  two() {}\n}\n";

  it.each([
    ['', ', providers: [{ provide: APP_GUARD, useExisting: RateLimitGuard }] })'],
    [', providers: []', ', providers: [{ provide: APP_GUARD, useExisting: RateLimitGuard }] })'],
    [', providers: [One]', ', providers: [One, { provide: APP_GUARD, useExisting: RateLimitGuard }] })'],
  ])('leaves limits in shadow that no guard enforces, and adds the guard: %s', async (rest, providers) => {
    const app = await appOf({
      'app.module.ts': moduleOf(rest),
      'api.ts': CONTROLLER.replace('  @UseGuards(ThrottlerGuard)\n', ''),
    });

    expect(app.reasons).toEqual([]);
    expect(app.text('app.module.ts')).toContain(providers);
    expect(app.text('app.module.ts')).toContain("mode: 'shadow'");
    expect(app.text('app.module.ts')).toContain("import { APP_GUARD } from '@nestjs/core';");
    expect(app.text('api.ts').match(/mode: 'shadow'/g)).toHaveLength(2);
    expect(app.notes).toContain('No guard enforces these limits');
  });

  it('refuses such limits where their module is not declared', async () => {
    const { reasons } = await programOf(
      "import { ThrottlerModule } from '@nestjs/throttler';\nexport const limits = ThrottlerModule.forRoot([{ ttl: 60_000, limit: 5 }]);\n",
    );

    expect(reasons).toEqual([expect.stringContaining('no guard enforces the limits of the module')]);
  });

  it('drops the decorator of a handler that no guard runs before', async () => {
    const app = await appOf({ 'app.module.ts': moduleOf(''), 'api.ts': CONTROLLER });

    expect(app.reasons).toEqual([]);
    expect(app.text('api.ts')).toContain('@RateLimit({ limit: 1,');
    expect(app.text('api.ts')).toContain('\n\n  two() {}');
    expect(app.notes).toContain(
      'no guard of the throttler runs before what @Throttle({ default: { ttl: 60_000, limit: 2 } })',
    );
  });

  it('says that a request which two guards met counted twice', async () => {
    const both = await appOf({ 'app.module.ts': moduleOf(`, providers: [${GUARDED}]`), 'api.ts': CONTROLLER });
    const one = await appOf({ 'app.module.ts': moduleOf(`, providers: [${GUARDED}]`) });

    expect(both.notes).toContain('counts once: each of them counted it');
    expect(one.notes).not.toContain('counts once');
  });

  const guardOf = (body: string) =>
    `import { ThrottlerGuard } from '@nestjs/throttler';\n/** Ours. */\n@Injectable()\nexport class OwnGuard extends ThrottlerGuard {\n${body}\n}\n`;

  it('says that a guard which nothing uses has lost its methods, and its comments with them', async () => {
    const app = await appOf({
      'app.module.ts': moduleOf(`, providers: [${GUARDED}]`),
      'own.guard.ts': guardOf('  // Whom it counts.\n  async handleRequest(props) { return true; }'),
    });

    expect(app.text('own.guard.ts')).toBe(
      "import { RateLimitGuard } from '@sluice/nestjs';\n/** Ours. */\nexport { RateLimitGuard as OwnGuard };\n",
    );
    expect(app.notes).toContain('OwnGuard guards nothing, so its methods are gone');
  });

  it.each([
    ['REDIS_URL', "config.get('REDIS_URL')", "redisStore({ url: config.get('REDIS_URL') })"],
    ['an optional address', 'redis?.redis_url', 'redisStore({ url: redis?.redis_url })'],
    ['a template', '`redis://${host}:6379`', 'redisStore({ url: `redis://${host}:6379` })'],
    ['a variable of the environment', 'process.env.REDIS!', 'redisStore({ url: process.env.REDIS! })'],
    ['a client', 'this.redis', 'redisStore(this.redis)'],
  ])('takes the storage of %s as what it is', async (_name, given, store) => {
    const { text } = await programOf(
      `import { ThrottlerModule } from '@nestjs/throttler';\nimport { ThrottlerStorageRedisService } from '@nest-lab/throttler-storage-redis';\nThrottlerModule.forRoot({ throttlers: [{ ttl: 60_000, limit: 2 }], storage: new ThrottlerStorageRedisService(${given}) });\n@Module({ providers: [{ provide: APP_GUARD, useClass: ThrottlerGuard }] })\nclass App {}\n`.replace(
        'ThrottlerModule }',
        'ThrottlerGuard, ThrottlerModule }',
      ),
    );

    expect(text).toContain(`store: ${store}`);
  });

  it('multiplies seconds that may be missing in a way that compiles', async () => {
    const { text } = await programOf(
      moduleOf(`, providers: [${GUARDED}]`).replace(/forRoot\(.*?\)\]/s, 'forRoot({ ttl: config?.ttl, limit: 2 })]'),
    );

    expect(text).toContain('window: Number(config?.ttl) * 1000');
  });

  it('keeps the comments of a throttler and the lines of its module', async () => {
    const { text, notes } = await programOf(
      moduleOf(`, providers: [${GUARDED}]`).replace(
        /forRoot\(.*?\)\]/s,
        'forRoot({\n  throttlers: [\n    // A minute.\n    { ttl: 60_000, limit: 2 },\n  ],\n  // Ours.\n  errorMessage: LATER,\n})]',
      ),
    );

    expect(text).toContain(
      "forRoot({\n  // A minute.\n  limit: 2,\n  window: '1m',\n  algorithm: 'sliding-window-log',\n  key: byHandler(),\n  // Ours.\n  body: { statusCode: 429, message: LATER },\n})]",
    );
    expect(notes).not.toContain('The body of a denial is problem details');
  });

  it.each([
    ['@SkipThrottle(true)', '@SkipRateLimit()', []],
    [
      '@SkipThrottle(false)',
      '@SkipThrottle(false)',
      ['it ends a skip of its class: write @SkipRateLimit() on the other handlers, not on the class'],
    ],
  ])('reads the flag of version 4: %s', async (given, written, reasons) => {
    const app = await appOf({
      'app.module.ts': moduleOf(`, providers: [${GUARDED}]`).replace(
        /forRoot\(.*?\)\]/s,
        'forRoot({ ttl: 60, limit: 2 })]',
      ),
      'health.ts': `import { SkipThrottle } from '@nestjs/throttler';\n@Controller()\nexport class Health {\n  ${given}\n  one() {}\n}\n`,
    });

    expect(app.reasons).toEqual(reasons);
    expect(app.text('health.ts')).toContain(`  ${written}\n  one`);
  });

  it('makes one decorator in a function that returns one', async () => {
    const app = await appOf({
      'app.module.ts': moduleOf(`, providers: [${GUARDED}]`).replace(
        /forRoot\(.*?\)\]/s,
        "forRoot([{ name: 'a', ttl: 1000, limit: 2 }, { name: 'b', ttl: 60_000, limit: 9 }])]",
      ),
      'strict.ts':
        "import { Throttle } from '@nestjs/throttler';\nexport const Strict = () => Throttle({ a: { ttl: 1000, limit: 1 } });\n",
    });

    expect(app.reasons).toEqual([]);
    expect(lineOf(app.text('strict.ts'))).toContain("Strict = () => applyDecorators(SkipRateLimit('a'), RateLimit({ ");
    expect(app.text('strict.ts')).toContain("import { applyDecorators } from '@nestjs/common';");
  });

  it('takes the modules of tests as applications of their own', async () => {
    const app = await appOf({
      'src/app.module.ts': moduleOf(`, providers: [${GUARDED}]`),
      'tests/shared/app.ts': moduleOf(`, providers: [${GUARDED}]`),
      'tests/app.e2e.spec.ts': moduleOf(`, providers: [${GUARDED}]`),
    });

    expect(app.reasons).toEqual([]);
    for (const path of ['src/app.module.ts', 'tests/shared/app.ts', 'tests/app.e2e.spec.ts'])
      expect(app.text(path)).toContain('RateLimitModule.forRoot');
  });

  it('refuses a guard of the program that is made by new', async () => {
    const app = await appOf({
      'app.module.ts': moduleOf(''),
      'own.guard.ts': guardOf('  async getTracker(req) { return req.user.id; }'),
      'main.ts': "import { OwnGuard } from './own.guard';\napp.useGlobalGuards(new OwnGuard(options));\n",
    });

    expect(app.reasons).toContain('a guard is made by new: write app.useGlobalGuards(app.get(OwnGuard))');
  });

  it('moves a method with its comments, and a field that it reads', async () => {
    const app = await appOf({
      'app.module.ts': moduleOf(', providers: [{ provide: APP_GUARD, useClass: OwnGuard }]').replace(
        '\n',
        "\nimport { OwnGuard } from './own.guard';\n",
      ),
      'own.guard.ts': guardOf(
        '  private readonly logger = new Logger(OwnGuard.name);\n\n  // Users.\n  getTracker = async (req: any): Promise<string> => {\n    this.logger.debug(`${req.user.id}`);\n    return req.user.id;\n  };',
      ),
    });

    expect(app.reasons).toEqual([]);
    expect(app.text('own.guard.ts')).toContain(
      "// Users.\nexport async function trackerOf(req: any): Promise<string> {\n  logger.debug(`${req.user.id}`);\n  return req.user.id;\n}\n\nconst logger = new Logger('OwnGuard');\n\nexport { RateLimitGuard as OwnGuard };",
    );
  });

  it('writes the unit of a time that is as short as seconds would be', async () => {
    const { text } = await programOf(moduleOf(`, providers: [${GUARDED}]`, '60'));

    expect(text).toContain("window: '60ms'");
  });
});
