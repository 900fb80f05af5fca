import { migrationOf } from '../../packages/migrate/src/migrate.js';
import type { Migration } from '../../packages/migrate/src/print-migration.js';
import { migrated } from './fixtures.js';

const ERL = "import { rateLimit } from 'express-rate-limit';\n";
const REDIS = `${ERL}import { RedisStore } from 'rate-limit-redis';\n`;
const FRL = "import rateLimit from '@fastify/rate-limit';\n";
const HR = "import { rateLimiter } from 'hono-rate-limiter';\n";
const NT =
  "import { seconds, minutes, Throttle, ThrottlerGuard, ThrottlerModule } from '@nestjs/throttler';\nconst guard = { provide: APP_GUARD, useClass: ThrottlerGuard };\n";
const RLF =
  "import { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible';\nconst client = new Redis();\n";
const SEND = 'sendCommand: (...args) => client.call(...args)';

/** The options of the only limit of a translated program. */
function written({ translations }: Migration): string {
  expect(translations.flatMap(({ unread }) => unread)).toEqual([]);
  return translations.map(({ text }) => text).join('\n');
}

function refusals({ translations }: Migration): string {
  for (const { text, file } of translations) expect(text).toBe(file.text);
  return translations.flatMap(({ unread }) => unread.map(({ what, hand }) => `${what}: ${hand}`)).join('\n');
}

function notes({ translations }: Migration): string {
  return translations.flatMap(({ differences }) => differences.map(({ text }) => text)).join('\n');
}

describe('@sluice/migrate, of what a program does not tell itself', () => {
  describe('in a window or a limit', () => {
    it.each([
      [`${ERL}rateLimit({ windowMs: process.env.W || 60000 });`, 'window: Number(process.env.W || 60000)'],
      [`${ERL}rateLimit({ windowMs: process.env.W });`, 'window: Number(process.env.W ?? 60000)'],
      [`${ERL}rateLimit({ max: process.env.MAX });`, 'limit: Number(process.env.MAX ?? 5)'],
      [`${ERL}const { MAX = 9 } = process.env;\nrateLimit({ max: MAX });`, 'limit: Number(MAX'],
      [`import { env } from 'node:process';\n${ERL}rateLimit({ max: env.MAX ?? 9 });`, 'limit: Number(env.MAX ?? 9)'],
      [
        `${ERL}rateLimit({ max: isTest ? 1000 : process.env.MAX });`,
        'limit: Number((isTest ? 1000 : process.env.MAX) ?? 5)',
      ],
      [`${ERL}rateLimit({ max: isTest ? Infinity : 100 });`, 'limit: () => (isTest ? null : 100)'],
      [`${ERL}rateLimit({ max: isTest ? Number.MAX_SAFE_INTEGER : 100 });`, 'limit: () => (isTest ? null : 100)'],
      [`${ERL}rateLimit({ max: (req) => (req.user ? Infinity : 9) });`, 'limit: (req) => (req.user ? null : 9)'],
      [`${FRL}app.register(rateLimit, { max: process.env.MAX || 9 });`, 'limit: Number(process.env.MAX || 9)'],
      [`${HR}rateLimiter({ limit: process.env.MAX, keyGenerator: () => 'a' });`, 'limit: Number(process.env.MAX ?? 5)'],
      [
        `${RLF}const l = new RateLimiterMemory({ points: 5, duration: process.env.D || 1 });`,
        'window: Number(process.env.D || 1) * 1000',
      ],
      [
        `${RLF}const l = new RateLimiterMemory({ points: 5, duration: minutes * 60 });`,
        'window: (minutes * 60) * 1000',
      ],
      [
        `${NT}ThrottlerModule.forRoot([{ ttl: seconds(config.get('TTL')), limit: 10 }]);`,
        "window: Number(config.get('TTL')) * 1000",
      ],
      [`${NT}ThrottlerModule.forRoot([{ ttl: minutes(N), limit: 10 }]);`, 'window: N * 60000'],
      [
        `${NT}ThrottlerModule.forRoot([{ ttl: process.env.T, limit: process.env.L }]);`,
        'limit: Number(process.env.L),\n  window: Number(process.env.T)',
      ],
    ])('writes a number for %s', async (program, text) => {
      expect(written(await migrated('app.js', program))).toContain(text);
    });

    it.each([
      [`${ERL}rateLimit({ max: isDevelopment ? 0 : 100 });`, '0 denies all from version 7 and admits all before'],
      [`${ERL}const max = isDevelopment ? 0 : 100;\nrateLimit({ max });`, 'max may be 0'],
      [`${ERL}rateLimit({ max: process.env.MAX || 0 });`, 'max may be 0'],
      [`${ERL}rateLimit({ max: isProduction && 100 });`, 'max is not always a whole number'],
      [`${ERL}rateLimit({ max: isTest ? undefined : 100 });`, 'max is not always a whole number'],
      [`${ERL}rateLimit({ max: Infinity });`, 'max is Infinity'],
      [`${ERL}rateLimit({ windowMs: isTest ? 0 : 1000 });`, 'windowMs is no time of 1 ms to 400 days, or not always'],
      [`${HR}rateLimiter({ limit: isTest ? 0 : 9, keyGenerator: () => 'a' });`, 'limit may be 0'],
      [`${FRL}app.register(rateLimit, { max: isTest ? 0 : 9 });`, 'max may be 0'],
      [`${RLF}const l = new RateLimiterMemory({ points: isTest ? 0 : 9 });`, 'points may be 0'],
      [`${NT}ThrottlerModule.forRoot([{ ttl: 1000, limit: isTest ? 0 : 9 }]);`, 'limit may be 0'],
      [`${NT}ThrottlerModule.forRoot([{ ttl: isTest ? seconds(1) : seconds(5), limit: 9 }]);`, 'it uses seconds'],
    ])('refuses what may be no limit: %s', async (program, reason) => {
      expect(refusals(await migrated('app.js', program))).toContain(reason);
    });

    it('leaves no name behind whose import it has removed', async () => {
      const program = `${NT}@Throttle({ default: { ttl: minutes(config.minutes), limit: 3 } })\nclass Users {}\nThrottlerModule.forRoot([{ ttl: seconds(ttl()), limit: 10 }]);\n`;

      const text = written(await migrated('users.ts', program));

      expect(text).toContain('window: config.minutes * 60000');
      expect(text).toContain('window: ttl() * 1000');
      expect(text).not.toMatch(/seconds|minutes\(/);
    });

    it('does not carry an expression of a module to a handler, where its names are others', async () => {
      const program = `${NT}ThrottlerModule.forRootAsync({ useFactory: (config) => [{ ttl: config.ttl, limit: 10 }] });\n@Throttle({ default: { limit: 3 } })\nclass Users {}\n`;

      expect(refusals(await migrated('users.ts', program))).toContain('the ttl of the module is an expression');
    });
  });

  describe('in the keys of Redis', () => {
    it.each([
      ['`rl:${kind}:`', 'name: kind'],
      ["'rl:' + kind", 'name: kind'],
      ['`${process.env.APP}:${kind}:`', 'prefix: process.env.APP'],
      ['`${process.env.APP}:${kind}:`', 'name: kind'],
      ['`rl:${kind}:write:`', 'name: `${kind}:write`'],
    ])('names a limit of a function by its parameter: prefix: %s', async (prefix, text) => {
      const program = `${REDIS}export const limitOf = (kind, max) =>\n  rateLimit({ max, store: new RedisStore({ prefix: ${prefix}, ${SEND} }) });\n`;

      expect(written(await migrated('limits.js', program))).toContain(text);
    });

    it('names the limits of a loop and of an object by what differs', async () => {
      const loop = `for (const [kind, max] of limits) app.use(rateLimit({ max, store: new RedisStore({ prefix: \`rl:\${kind}:\`, ${SEND} }) }));`;
      const method = `class A {\n  limit() {\n    return rateLimit({ max: this.max, store: new RedisStore({ prefix: this.kind, ${SEND} }) });\n  }\n}`;

      expect(written(await migrated('limits.js', `${REDIS}${loop}\n`))).toContain('name: kind');
      expect(written(await migrated('limits.js', `${REDIS}${method}\n`))).toContain('name: this.kind');
    });

    it('makes text of a parameter that is a number', async () => {
      const program = `${REDIS}export const limitOf = (id: number) => rateLimit({ max: 5, store: new RedisStore({ prefix: \`rl:\${id}:\`, ${SEND} }) });\n`;

      expect(written(await migrated('limits.ts', program))).toContain('name: `${id}`');
    });

    it.each([
      ['process.env.APP', 'prefix: process.env.APP'],
      ['`${process.env.APP}:api:`', 'prefix: process.env.APP'],
      ['`${process.env.APP}:api:`', "name: 'api'"],
      ['`shop-${process.env.STAGE}:`', 'prefix: `shop-${process.env.STAGE}`'],
    ])('keeps a prefix of the environment: %s', async (prefix, text) => {
      const program = `${REDIS}export const limit = rateLimit({ max: 5, store: new RedisStore({ prefix: ${prefix}, ${SEND} }) });\n`;
      const migration = await migrated('limits.js', program);

      expect(written(migration)).toContain(text);
      expect(notes(migration)).toContain('A prefix that the file does not tell');
    });

    it.each([
      [
        `${FRL}const redis = new Redis();\napp.register(rateLimit, { redis, nameSpace: process.env.APP });`,
        'prefix: process.env.APP',
      ],
      [
        `${RLF}const l = new RateLimiterRedis({ storeClient: client, keyPrefix: process.env.APP, points: 5 });`,
        'prefix: process.env.APP',
      ],
      [
        `${RLF}function make(kind) {\n  const l = new RateLimiterRedis({ storeClient: client, keyPrefix: kind, points: 5 });\n  return (key) => l.consume(key);\n}`,
        'name: kind',
      ],
    ])('does so for each library: %s', async (program, text) => {
      expect(written(await migrated('app.js', program))).toContain(text);
    });

    it.each([
      [
        'no prefix',
        `export const limitOf = (max) => rateLimit({ max, store: new RedisStore({ ${SEND} }) });`,
        'which would share one name',
      ],
      [
        'a fixed prefix',
        `export function limitOf({ max }) {\n  return rateLimit({ max, store: new RedisStore({ prefix: 'rl:api:', ${SEND} }) });\n}`,
        'which would share one name',
      ],
      [
        'a loop',
        `for (const max of [5, 10]) app.use(rateLimit({ max, store: new RedisStore({ ${SEND} }) }));`,
        'which would share one name',
      ],
      [
        'a field of each object',
        `class A {\n  limit() {\n    return rateLimit({ max: this.max, store: new RedisStore({ ${SEND} }) });\n  }\n}`,
        'which would share one name',
      ],
      [
        'a limit for each request',
        `export const limit = (req, res, next) => rateLimit({ max: 5, store: new RedisStore({ prefix: \`rl:\${req.user.id}:\`, ${SEND} }) })(req, res, next);`,
        'the limit is made for each request',
      ],
      [
        'an option that ours has not',
        `rateLimit({ store: new RedisStore({ resetExpiryOnChange: true, ${SEND} }) });`,
        'resetExpiryOnChange of the store has no equal',
      ],
      [
        'options from elsewhere',
        `rateLimit({ store: new RedisStore({ ...shared, ${SEND} }) });`,
        'a spread of the store has no equal',
      ],
    ])('refuses what would be one budget for several limits: %s', async (_name, program, reason) => {
      expect(refusals(await migrated('limits.js', `${REDIS}${program}\n`))).toContain(reason);
    });

    it.each([
      [
        'a function that is called once',
        `function start(app, config) {\n  app.use(rateLimit({ max: config.max, store: new RedisStore({ ${SEND} }) }));\n}\nstart(app, config);`,
      ],
      ['equal limits', `export const limitOf = () => rateLimit({ max: 5, store: new RedisStore({ ${SEND} }) });`],
      ['a store with the client of old versions', `rateLimit({ store: new RedisStore({ client, ${SEND} }) });`],
    ])('translates %s', async (_name, program) => {
      expect(written(await migrated('limits.js', `${REDIS}${program}\n`))).toContain("name: 'limits'");
    });

    it.each([
      ['', '', true],
      ["prefix: 'rl:', ", '', true],
      ["prefix: 'rl:a:', ", "prefix: 'rl:a:', ", true],
      ["prefix: 'rl:a:', ", "prefix: 'rl:b:', ", false],
      ["prefix: 'rl:a:', ", '', false],
    ])('says that limits of one prefix counted together: %s beside %s', async (one, other, isShared) => {
      const limit = (prefix: string) => `rateLimit({ store: new RedisStore({ ${prefix}${SEND} }) });\n`;

      const migration = await migrated('limits.js', `${REDIS}${limit(one)}${limit(other)}`);

      expect(notes(migration).includes('Limits of one prefix shared a count in Redis')).toBe(isShared);
    });

    it('gives limits of two libraries in a run different names', async () => {
      const { changed } = await migrationOf(
        new Map([
          ['a.js', `${REDIS}rateLimit({ store: new RedisStore({ prefix: 'rl:api:', ${SEND} }) });\n`],
          ['b.js', `${RLF}const l = new RateLimiterRedis({ storeClient: client, keyPrefix: 'api', points: 5 });\n`],
        ]),
      );

      expect([...changed.values()].map((text) => /name: '([^']+)'/.exec(text)?.[1])).toEqual(['api', 'api-2']);
    });
  });

  describe('in other files', () => {
    it('refuses a guard of NestJS whose module is not in the run', async () => {
      const program = `${NT}export const providers = [{ provide: APP_GUARD, useClass: ThrottlerGuard }];\n`;

      expect(refusals(await migrated('guards.ts', program))).toContain(
        'the ThrottlerModule of this guard was not found',
      );
    });

    it.each([
      ['a field', 'class A {\n  limit = rateLimit({ max: 5 });\n  reset(ip) { this.limit.resetKey(ip); }\n}'],
      [
        'an assigned field',
        'class A {\n  constructor() { this.limit = rateLimit({ max: 5 }); }\n  reset(ip) { this.limit.resetKey(ip); }\n}',
      ],
      ['a property', 'const limits = { api: rateLimit({ max: 5 }) };\nlimits.api.resetKey(ip);'],
      [
        'what a function returns',
        'const make = () => rateLimit({ max: 5 });\nconst limit = make();\nlimit.getKey(ip);',
      ],
    ])('refuses a limit whose methods are called through %s', async (_name, program) => {
      expect(refusals(await migrated('app.js', `${ERL}${program}\n`))).toMatch(/(resetKey|getKey) is called/);
    });

    it.each([
      ["import { limiter } from './utils/limiter.js';\nlimiter.resetKey(ip);\n", 'export const limiter ='],
      ["import * as limits from './utils/limiter.js';\nlimits.limiter.resetKey(ip);\n", 'export const limiter ='],
      ["import login from './utils/limiter';\nlogin.resetKey(ip);\n", 'export default'],
      ["const { limiter: login } = require('./utils/limiter');\nlogin.resetKey(ip);\n", 'exports.limiter ='],
    ])('refuses a limit whose methods another file calls: %s', async (caller, declared) => {
      const migration = await migrationOf(
        new Map([
          ['src/utils/limiter.js', `${ERL}${declared} rateLimit({ max: 5 });\n`],
          ['src/routes.js', caller],
        ]),
      );

      expect(refusals(migration)).toContain('resetKey is called in src/routes.js:2');
    });

    it('translates a limit beside a resetKey of something else', async () => {
      const migration = await migrationOf(
        new Map([
          ['limiter.js', `${ERL}export const limiter = rateLimit({ max: 5 });\n`],
          [
            'cache.js',
            "import { cache } from './cache-of-us.js';\nimport { limiter } from './limiter.js';\ncache.resetKey(key);\n",
          ],
        ]),
      );

      expect(written(migration)).toContain('limit: 5');
    });

    it('changes what another file reads of a limit', async () => {
      const { changed, translations } = await migrationOf(
        new Map([
          ['limiter.js', `${ERL}export const limiter = rateLimit({ max: 5 });\n`],
          ['routes.js', 'export const left = (req, res) => res.json(req.rateLimit.remaining);\n'],
        ]),
      );

      expect(translations.flatMap(({ unread }) => unread)).toEqual([]);
      expect(changed.get('routes.js')).toContain('res.json(req.rateLimit?.binding?.remaining)');
    });

    it('leaves all limits alone whose info another file reads, where one of them was not read', async () => {
      const migration = await migrationOf(
        new Map([
          ['limiter.js', `${ERL}export const limiter = rateLimit({ max: 5 });\n`],
          ['other.js', `${ERL}export const other = rateLimit({ max: 0 });\n`],
          ['routes.js', 'export const left = (req, res) => res.json(req.rateLimit.remaining);\n'],
        ]),
      );

      expect(refusals(migration)).toContain('max is 0');
    });

    it('translates the hooks of routes of Fastify, which import nothing', async () => {
      const { changed, translations } = await migrationOf(
        new Map([
          ['app.js', `${FRL}app.register(rateLimit, { global: false });\n`],
          ['routes.js', "app.get('/', { preHandler: app.rateLimit({ max: 5 }) }, handler);\n"],
        ]),
      );

      expect(translations.flatMap(({ unread }) => unread)).toEqual([]);
      expect(changed.get('routes.js')).toContain('app.rateLimit({ limit: 5');
    });
  });

  describe('in the identity of a client', () => {
    const HEADERS = ['X-Forwarded-For', 'X-Real-IP', 'Forwarded', 'X-Client-IP', 'True-Client-IP', 'CF-Connecting-IP'];

    it.each(HEADERS)('counts by address where clients write %s, and says how proxies are named', async (header) => {
      for (const [peer, option] of [
        [(key: string) => `${ERL}rateLimit({ keyGenerator: ${key} });`, "app.set('trust proxy'"],
        [(key: string) => `${FRL}app.register(rateLimit, { keyGenerator: ${key} });`, 'trustProxy of Fastify'],
      ] as const) {
        for (const key of [
          `(req) => req.headers['${header.toLowerCase()}']`,
          `(req) => req.headers['${header.toLowerCase()}'] || req.ip`,
          `(req) => { const value = req.headers['${header.toLowerCase()}']; return value ? value.split(',')[0].trim() : req.ip; }`,
        ]) {
          const migration = await migrated('app.js', peer(key));

          expect(written(migration)).toContain('key: byIp()');
          expect(notes(migration)).toContain(option);
        }
      }

      const migration = await migrated(
        'app.js',
        `${HR}rateLimiter({ keyGenerator: (c) => c.req.header('${header}') ?? '' });`,
      );

      expect(written(migration)).toContain('key: byIp()');
      expect(notes(migration)).toContain('trustProxy of the limit');
    });

    it('takes the address behind a user in place of a header that clients write, and says so', async () => {
      const program = `${ERL}rateLimit({ keyGenerator: (req) => req.user?.id ?? req.headers['x-forwarded-for'] ?? req.ip });`;
      const migration = await migrated('app.js', program);

      expect(written(migration)).toContain("key: by('client', (req) => req.user?.id)");
      expect(notes(migration)).toContain("app.set('trust proxy'");
      expect(notes(migration)).toContain('A client without the value that key reads is counted by its address.');
    });

    it.each([
      `${ERL}rateLimit({ keyGenerator: (req) => req.headers['x-key'] || req.ip });`,
      `${FRL}app.register(rateLimit, { keyGenerator: (req) => req.headers['x-key'] || req.ip });`,
    ])('says what counts a client without the header: %s', async (program) => {
      expect(notes(await migrated('app.js', program))).toContain('is counted by its address');
    });

    it('says of a key of rate-limiter-flexible that clients write it', async () => {
      const program = `${RLF}const l = new RateLimiterMemory({ points: 5 });\nl.consume(req.headers['x-forwarded-for'] || req.ip);\n`;

      expect(notes(await migrated('app.js', program))).toContain('Clients can write X-Forwarded-For');
    });

    it('says why allowList is no list of addresses beside a keyGenerator', async () => {
      const program = `${FRL}app.register(rateLimit, { keyGenerator: (req) => req.headers['x-key'], allowList: ['127.0.0.1'] });`;

      expect(refusals(await migrated('app.js', program))).toContain(
        'the plugin compares allowList with what keyGenerator returns',
      );
    });
  });
});
