import { migrationOf } from '../../packages/migrate/src/migrate.js';
import { migrated } from './fixtures.js';

const ERL = "import { rateLimit } from 'express-rate-limit';\n";

function named(unread: readonly { readonly line: number; readonly what: string }[]): string[] {
  return unread.map(({ line, what }) => `${line} ${what}`);
}

describe('@sluice/migrate, of several limits', () => {
  it('translates each limit by itself, and gives ours another name where theirs stays', async () => {
    const program = `${ERL}export const api = rateLimit({ max: 5 });\nexport const login = rateLimit({ max: 0 });\n`;

    const { translations, remove } = await migrated('app.js', program);

    expect(translations[0]!.text).toBe(`${ERL}import { rateLimit as sluice } from '@sluice/express';
export const api = sluice({ limit: 5, window: '1m', algorithm: 'fixed-window' });
export const login = rateLimit({ max: 0 });
`);
    expect(named(translations[0]!.unread)).toEqual(['3 max is 0']);
    expect(remove).toEqual([]);
  });

  it.each([
    [
      'require',
      "const { rateLimit, ipKeyGenerator } = require('express-rate-limit');\nrateLimit({ max: 5 });\nrateLimit({ max: 0 });\n",
      "const { rateLimit } = require('express-rate-limit');\nconst { rateLimit: sluice } = require('@sluice/express');\nsluice({",
    ],
    [
      'the require of a whole module',
      "const limit = require('express-rate-limit');\nlimit({ max: 5 });\nlimit({ max: 0 });\n",
      "const limit = require('express-rate-limit');\nconst { rateLimit } = require('@sluice/express');\nrateLimit({",
    ],
    [
      'a require among others',
      "const a = 1,\n  limit = require('express-rate-limit');\nlimit({ max: 5 });\nlimit({ max: 0 });\n",
      "limit = require('express-rate-limit'), { rateLimit } = require('@sluice/express');\nrateLimit({",
    ],
    [
      'a default beside names',
      "import limit, { ipKeyGenerator } from 'express-rate-limit';\nlimit({ max: 5 });\nipKeyGenerator('::1');\n",
      "import { ipKeyGenerator } from 'express-rate-limit';\nimport { rateLimit } from '@sluice/express';\nrateLimit({",
    ],
    [
      'a store beside',
      "import { rateLimit } from 'express-rate-limit';\nimport { RedisStore } from 'rate-limit-redis';\nrateLimit({ max: 5 });\nrateLimit({ max: 5, store: new RedisStore(options) });\n",
      "import { rateLimit } from 'express-rate-limit';\nimport { rateLimit as sluice } from '@sluice/express';\nimport { RedisStore } from 'rate-limit-redis';\nsluice({",
    ],
  ])('keeps what a limit that stays imports: %s', async (_name, program, beginning) => {
    const { translations } = await migrated('app.js', program);

    expect(translations[0]!.text).toContain(beginning);
    expect(translations[0]!.unread).toHaveLength(1);
  });

  it.each([
    ['Union', 'const one = new RateLimiterMemory({ points: 2 });\nnew RateLimiterUnion(one);\n'],
    ['Queue', 'const queue = new RateLimiterQueue(new RateLimiterMemory({ points: 2 }), { maxQueueSize: 9 });\n'],
    [
      'Redis',
      'const spare = new RateLimiterMemory({ points: 2 });\nnew RateLimiterRedis({ storeClient, blockOnConsumed: 4, insuranceLimiter: spare });\n',
    ],
    [
      'Postgres',
      'const third = new RateLimiterMemory({ points: 2 });\nconst second = new RateLimiterRedis({ storeClient: new Redis(), insuranceLimiter: third });\nnew RateLimiterPostgres({ insuranceLimiter: second });\n',
    ],
  ])('leaves the limiters alone of which a RateLimiter%s is made that stays', async (_name, limiters) => {
    const names = 'RateLimiterMemory, RateLimiterPostgres, RateLimiterQueue, RateLimiterRedis, RateLimiterUnion';
    const program = `import { ${names} } from 'rate-limiter-flexible';\nimport { Redis } from 'ioredis';\n${limiters}`;

    const { translations } = await migrated('app.js', program);

    expect(translations[0]!.text).toBe(program);
    expect(named(translations[0]!.unread).join()).toContain('takes only limiters of its own library');
  });

  it('leaves a limiter alone of which another file makes one that stays', async () => {
    const parts =
      "import { RateLimiterMemory } from 'rate-limiter-flexible';\nexport const one = new RateLimiterMemory({});\n";
    const whole =
      "import { RateLimiterUnion } from 'rate-limiter-flexible';\nimport { one } from './parts.js';\nnew RateLimiterUnion(one);\n";

    const { translations } = await migrationOf(
      new Map([
        ['parts.js', parts],
        ['whole.js', whole],
      ]),
    );

    expect(translations.map(({ text }) => text)).toEqual([parts, whole]);
    expect(named(translations[0]!.unread)).toEqual([
      '2 RateLimiterUnion in whole.js:3 takes only limiters of its own library',
    ]);
  });

  it('translates a limiter beside the one of which another is made that it drops', async () => {
    const program =
      "import { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible';\nimport { Redis } from 'ioredis';\nconst spare = new RateLimiterMemory({ points: 2 });\nconst limiter = new RateLimiterRedis({ storeClient: new Redis(), points: 5, insuranceLimiter: spare });\n";

    const { translations } = await migrated('app.js', program);

    expect(translations[0]!.unread).toEqual([]);
    expect(translations[0]!.text).not.toContain('insuranceLimiter');
  });

  it('keeps the helper of its library that the program calls elsewhere', async () => {
    const program =
      "import { ipKeyGenerator, rateLimit } from 'express-rate-limit';\nrateLimit({});\nipKeyGenerator('::1');";

    const { translations } = await migrated('app.js', program);

    expect(named(translations[0]!.unread)).toEqual(['3 ipKeyGenerator is called outside a limit']);
    expect(translations[0]!.text).toContain("import { ipKeyGenerator } from 'express-rate-limit';\n");
  });

  it('translates types only with the limits that have them', async () => {
    const program = `import { rateLimit, type RateLimitRequestHandler } from 'express-rate-limit';
export const api: RateLimitRequestHandler = rateLimit({ max: 5 });
export const login: RateLimitRequestHandler = rateLimit({ max: 0 });
`;

    const { translations } = await migrated('app.ts', program);

    expect(translations[0]!.text).toContain('api: RateLimitHandler = sluice({');
    expect(translations[0]!.text).toContain('login: RateLimitRequestHandler = rateLimit({');
    expect(named(translations[0]!.unread)).toEqual(['3 max is 0']);
  });

  it('translates one limit of rate-limiter-flexible beside another, with its helper', async () => {
    const program = `const { RateLimiterMemory } = require('rate-limiter-flexible');
const first = new RateLimiterMemory({ points: 5, execEvenly: true });
const second = new RateLimiterMemory({ points: 5 });
first.consume('a');
second.consume('a');
`;

    const { translations } = await migrated('app.js', program);

    expect(translations[0]!.text).toContain("const { RateLimiterMemory } = require('rate-limiter-flexible');\n");
    expect(translations[0]!.text).toContain("first.consume('a');\nsecond.consume('a');\n");
    expect(translations[0]!.text).toContain('function flexible(limiter');
  });

  it('tests for the figures of a denial, which limiters of both have', async () => {
    const program = `const { RateLimiterMemory, RateLimiterRes } = require('rate-limiter-flexible');
const limiter = new RateLimiterMemory({ points: 5 });
const other = new RateLimiterMemory({ points: 0 });
limiter.consume('a').catch((error) => error instanceof RateLimiterRes);
`;

    const { translations } = await migrated('app.js', program);

    expect(translations[0]!.text).toContain('.catch((error) => isDenial(error));');
    expect(translations[0]!.text).toContain("const { RateLimiterMemory } = require('rate-limiter-flexible');");
  });

  it('leaves a limit alone whose store a limit uses that was not read', async () => {
    const program = `${ERL}import { RedisStore } from 'rate-limit-redis';
const store = new RedisStore({ sendCommand: (...args) => client.call(...args) });
rateLimit({ max: 5, store });
rateLimit({ max: 0, store });
`;

    const { translations } = await migrated('app.js', program);

    expect(translations[0]!.text).toBe(program);
    expect(named(translations[0]!.unread)).toContain('4 store is used by a limit that was not read');
  });

  it('imports our function for a library that an expression requires, at the beginning of a file too', async () => {
    const program = "require('express-rate-limit')({ max: 5 });\nrequire('express-rate-limit')({ max: 0 });\n";

    const { translations } = await migrated('app.js', program);

    expect(translations[0]!.text).toBe(`const { rateLimit } = require('@sluice/express');
rateLimit({ limit: 5, window: '1m', algorithm: 'fixed-window' });
require('express-rate-limit')({ max: 0 });
`);
  });

  it('translates a program of two libraries for both', async () => {
    const program = `${ERL}import { RateLimiterMemory } from 'rate-limiter-flexible';
export const limit = rateLimit({ max: 5 });
const logins = new RateLimiterMemory({ points: 5 });
export const login = () => logins.consume('a');
`;

    const { changed, remove } = await migrated('app.js', program);

    expect(changed.get('app.js')).toContain("rateLimit({ limit: 5, window: '1m'");
    expect(changed.get('app.js')).toContain('createLimiter({');
    expect(remove).toEqual(['express-rate-limit', 'rate-limiter-flexible']);
  });
});

describe('@sluice/migrate, of packages to remove', () => {
  const LIMITER = `${ERL}export const limiter = rateLimit({ max: 5 });\n`;

  it.each([
    ['a limit that stays', `${ERL}rateLimit(options);\n`],
    ['a mock', "jest.mock('express-rate-limit', () => ({ rateLimit: () => next }));\n"],
    ['an export', "export * from 'express-rate-limit';\n"],
    ['a comment with a type', "/** @type {import('express-rate-limit').Options} */\nexport const options = {};\n"],
    ['an import by a path', "import type { Options } from 'express-rate-limit/types';\n"],
  ])('keeps a package that %s needs', async (_name, other) => {
    const { remove } = await migrationOf(
      new Map([
        ['limiter.js', LIMITER],
        ['other.ts', other],
      ]),
    );

    expect(remove).toEqual([]);
  });

  it('removes a package that nothing needs, beside one with a longer name', async () => {
    const { remove } = await migrationOf(
      new Map([
        ['limiter.js', LIMITER],
        ['other.js', "import 'express-rate-limit-of-us';\n"],
      ]),
    );

    expect(remove).toEqual(['express-rate-limit']);
  });

  it.each([
    ["jest.mock('express-rate-limit');\n", 'express-rate-limit is mocked'],
    ["export { rateLimit } from 'express-rate-limit';\n", 'express-rate-limit is exported again'],
    ["/** @type {import('express-rate-limit').Options} */\nlet a;\n", 'a comment has a type of express-rate-limit'],
  ])('names what else needs it: %s', async (other, what) => {
    const { strangers } = await migrationOf(
      new Map([
        ['limiter.js', LIMITER],
        ['other.js', other],
      ]),
    );

    expect(strangers).toMatchObject([{ path: 'other.js', line: 1, what }]);
  });
});

describe('@sluice/migrate, of limiters that it does not translate', () => {
  it.each([
    ["import Bottleneck from 'bottleneck';\n", 'bottleneck is not translated', 'migrate-from-bottleneck.md'],
    [
      "const { slowDown } = require('express-slow-down');\n",
      'express-slow-down is not translated',
      'plans-and-costs.md',
    ],
    ["import { Ratelimit } from '@upstash/ratelimit';\n", '@upstash/ratelimit is not translated', 'guide/migrate.md'],
    [
      'export async function hit(key) {\n  const count = await redis.incr(key);\n  if (count === 1) await redis.expire(key, 60);\n  return count;\n}\n',
      'INCR with EXPIRE counts by hand',
      'guide/migrate.md',
    ],
    ['redis.multi().incr(key).pExpire(key, 1000).exec();\n', 'INCR with EXPIRE counts by hand', 'guide/migrate.md'],
    [
      "redis.call('INCR', key);\nredis.call('EXPIRE', key, 60);\n",
      'INCR with EXPIRE counts by hand',
      'guide/migrate.md',
    ],
    [
      "const script = `local n = redis.call('INCR', KEYS[1])\nredis.call('PEXPIRE', KEYS[1], ARGV[1])`;\n",
      'INCR with EXPIRE counts by hand',
      'guide/migrate.md',
    ],
  ])('names %s', async (program, what, guide) => {
    const { strangers, problems } = await migrated('app.js', program);

    expect(problems).toEqual([]);
    expect(strangers).toMatchObject([{ path: 'app.js', what, guide: expect.stringContaining(guide) }]);
  });

  it.each([
    'redis.incr(key);\n',
    'export const increase = () => redis.incr(key);\nexport const age = () => redis.expire(other, 60);\n',
    'cookie.expire = increment;\n',
    '# expire and incr of something else\n',
  ])('says nothing of %s', async (program) => {
    const { strangers, problems } = await migrated('app.js', program);

    expect([...strangers, ...problems]).toEqual([]);
  });
});

describe('@sluice/migrate, of the form of a program', () => {
  it('keeps the ends of lines of Windows', async () => {
    const program = `${ERL}rateLimit({\n  windowMs: 1000, // often\n  max: 5,\n  message: 'no',\n});\n`.replaceAll(
      '\n',
      '\r\n',
    );

    const { translations } = await migrated('app.js', program);

    expect(translations[0]!.text).toContain('limit: 5');
    expect(translations[0]!.text.replaceAll('\r\n', '')).not.toContain('\n');
  });

  it('indents new options like the others, also where the first stands beside the brace', async () => {
    const program = `${ERL}rateLimit({ windowMs: 1000,\n    max: 5,\n});\n`;

    const { translations } = await migrated('app.js', program);

    expect(translations[0]!.text).toContain("\n    window: '1s',\n    limit: 5,\n");
  });

  it('keeps comments in a store that it replaces', async () => {
    const program = `${ERL}import { RedisStore } from 'rate-limit-redis';
rateLimit({
  store: new RedisStore({
    // A cluster of its own.
    sendCommand: (...args) => client.call(...args),
  }),
});
`;

    const { translations } = await migrated('app.js', program);

    expect(translations[0]!.text).toContain(
      "  // A cluster of its own.\n  name: 'app',\n  store: redisStore(client),\n",
    );
  });

  it('keeps comments of throttlers, each on its line', async () => {
    const program = `import { ThrottlerGuard, ThrottlerModule } from '@nestjs/throttler';
export const guard = { provide: APP_GUARD, useClass: ThrottlerGuard };
ThrottlerModule.forRoot([
  // Bursts.
  { name: 'short', ttl: 1000, limit: 3 },
  // All day.
  { name: 'long', ttl: 60000, limit: 100 },
]);
`;

    const { translations } = await migrated('app.ts', program);

    expect(translations[0]!.text).toContain(`({ tiers: [
  // Bursts.
  { name: 'short', limit: 3, window: '1s', algorithm: 'sliding-window-log', key: byHandler() },
  // All day.
  { name: 'long', limit: 100, window: '1m', algorithm: 'sliding-window-log', key: byHandler() },
] })`);
  });

  it('imports types as types, which verbatimModuleSyntax needs', async () => {
    const program =
      "import type { RateLimitRequestHandler } from 'express-rate-limit';\nexport type Limit = RateLimitRequestHandler;\n";
    const { changed } = await migrationOf(
      new Map([
        ['types.ts', program],
        ['limiter.ts', `${ERL}export const limiter = rateLimit({ max: 5 });\n`],
      ]),
    );

    expect(changed.get('types.ts')).toBe(
      "import type { RateLimitHandler } from '@sluice/express';\nexport type Limit = RateLimitHandler;\n",
    );
  });

  it.each([
    ["import type { Request } from 'express';\n", ''],
    ["import express, { type Request } from 'express';\nexpress();\n", "import express from 'express';\n"],
    [
      "import { type Request, type Response } from 'express';\nlet a: Response;\n",
      "import { type Response } from 'express';\n",
    ],
    ["import type { Request } from 'express';\nlet a: Request;\n", "import type { Request } from 'express';\n"],
  ])('imports no type that only a dropped key needed: %s', async (imports, left) => {
    const program = `${imports}${ERL}rateLimit({ keyGenerator: (req: Request) => req.ip as string });\n`;

    const { translations } = await migrated('app.ts', program);

    expect(translations[0]!.unread).toEqual([]);
    expect(/^.*'express';\n/m.exec(translations[0]!.text)?.[0] ?? '').toBe(left);
  });

  it('reads the info of a request where TypeScript asserts it', async () => {
    const program = `${ERL}rateLimit({ max: 5 });\nexport const at = (req: Request) => req.rateLimit!.resetTime!;\n`;

    const { translations } = await migrated('app.ts', program);

    expect(translations[0]!.unread).toEqual([]);
    expect(translations[0]!.text).toContain('new Date(Date.now() + (req.rateLimit?.binding?.resetAfter ?? 0))');
  });
});

describe('@sluice/migrate, of its reasons', () => {
  const HR =
    "import { rateLimiter } from 'hono-rate-limiter';\nconst limit = rateLimiter({ limit: 5, keyGenerator: () => 'a' });\n";

  it('takes settings that are named rateLimit for no info of a request', async () => {
    const { translations } = await migrated(
      'app.js',
      `${HR}settings.get('rateLimitMax');\nsettings.get('rateLimit');\n`,
    );

    expect(translations[0]!.unread).toEqual([]);
  });

  it('says that it does not see whether a function sets the status', async () => {
    const program = `${ERL}rateLimit({ handler: (req, res) => answer(res) });\n`;

    const { translations } = await migrated('app.js', program);

    expect(named(translations[0]!.unread)).toEqual(['2 whether answer sets the status is not seen']);
  });

  it.each([
    ['(req) => ipKeyGenerator(req.ip) + req.body.email', 'compose(byIp()'],
    ['(req) => ipKeyGenerator(req)', 'it gets the whole req'],
    ['(req) => [req.user, ipKeyGenerator(req.ip)].find(Boolean)', "by('user'"],
  ])('tells the key that counts as before: %s', async (key, hand) => {
    const program = `import { ipKeyGenerator, rateLimit } from 'express-rate-limit';\nrateLimit({ keyGenerator: ${key} });\n`;

    const { translations } = await migrated('app.js', program);

    expect(translations[0]!.unread.map((each) => each.hand).join()).toContain(hand);
  });

  it.each([
    ['const limiter = new RateLimiterMemory({ points: 5 });\nlimiter.penalty(1);', 'limiter.penalty is called'],
    [
      'const limiter = new RateLimiterMemory({ points: 5 });\nlimiter.points = 9;',
      'limiter.points is set, for all requests at once',
    ],
    [
      'new RateLimiterRedis({ storeClient: elsewhere });',
      'whether elsewhere is of ioredis or of node-redis is not seen',
    ],
    [
      'new RateLimiterMemory({ points: 5, duration: 60, blockDuration: 9 });',
      'whether blockDuration is at least as long as duration is not seen, and a shorter one begins a new count there',
    ],
  ])('says what a limiter of rate-limiter-flexible is used for: %s', async (lines, what) => {
    const program = `import { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible';\nconst client = new Redis();\n${lines}\n`;

    const { translations } = await migrated('app.js', program);

    expect(translations[0]!.unread.map((each) => each.what)).toContain(what);
  });
});
