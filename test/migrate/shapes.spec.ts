import { migrationOf } from '../../packages/migrate/src/migrate.js';
import { migrated } from './fixtures.js';

const ERL = "import { rateLimit } from 'express-rate-limit';\n";
const FRL = "import rateLimit from '@fastify/rate-limit';\n";

async function translated(program: string, path = 'app.js') {
  const { translations } = await migrated(path, program);
  const { text, unread, differences } = translations[0]!;
  return {
    text,
    reasons: unread.map(({ what, hand }) => `${what}: ${hand}`),
    notes: differences.map((each) => each.text),
  };
}

describe('@sluice/migrate, of a handler that passes an error', () => {
  it.each([
    ['(req, res, next) => next(new HttpError(429))', '(req, res, next) => next(new HttpError(429))'],
    ['() => { throw new HttpError(429); }', '() => { throw new HttpError(429); }'],
    [
      '(req, res, next, options) => next(new HttpError(options.statusCode))',
      '(req, res, next) => next(new HttpError(429))',
    ],
  ])('keeps it, and says which status an error without one has: %s', async (handler, onDenied) => {
    const { text, reasons, notes } = await translated(`${ERL}rateLimit({ max: 5, handler: ${handler} });\n`);

    expect(reasons).toEqual([]);
    expect(text).toContain(`onDenied: ${onDenied},`);
    expect(notes.join()).toContain('The status is 429 already');
  });

  it('looks into the function of another file that answers', async () => {
    const files = new Map([
      [
        'src/app.js',
        `import { answer } from './answer.js';\n${ERL}rateLimit({ max: 5, handler: (req, res) => answer(res) });\n`,
      ],
      ['src/answer.js', 'export const answer = (response) => response.status(429).end();\n'],
    ]);

    const { translations } = await migrationOf(files);

    expect(translations[0]!.unread).toEqual([]);
    expect(translations[0]!.text).toContain('onDenied: (req, res) => answer(res)');
  });

  it('refuses one that lets some requests continue', async () => {
    const { reasons } = await translated(
      `${ERL}rateLimit({ handler: (req, res, next) => (req.user ? next() : next(ERROR)) });\n`,
    );

    expect(reasons).toEqual([expect.stringContaining('write skip, or a limit function that returns null')]);
  });
});

describe('@sluice/migrate, of a message from elsewhere', () => {
  it.each(['message', 'SLOW', "message || 'later'", 'MESSAGES.slow', 'new TooMany()'])(
    'carries it: %s',
    async (message) => {
      const { text, reasons } = await translated(
        `${ERL}import { MESSAGES, SLOW, TooMany } from './messages.js';\nexport const limit = (max, message) => rateLimit({ max, message: ${message} });\n`,
      );

      expect(reasons).toEqual([]);
      expect(text).toContain(`body: ${message},`);
    },
  );
});

describe('@sluice/migrate, of a store that may be missing', () => {
  const STORE = "new RedisStore({ prefix: 'rl:api:', sendCommand: (...args) => redis.call(...args) })";
  const IMPORTS = `import { MemoryStore, rateLimit } from 'express-rate-limit';\nimport { RedisStore } from 'rate-limit-redis';\n`;

  it.each([
    [
      `rateLimit({ max: 5, store: redis ? ${STORE} : undefined });`,
      "...(redis ? { name: 'api', store: redisStore(redis) } : {})",
    ],
    [
      `rateLimit({ max: 5, store: isTest ? undefined : ${STORE} });`,
      "...(!(isTest) ? { name: 'api', store: redisStore(redis) } : {})",
    ],
    [
      `const store = redis ? ${STORE} : undefined;\nrateLimit({ max: 5, store });`,
      'const store = redis ? redisStore(redis) : undefined;',
    ],
  ])('keeps the condition: %s', async (lines, ours) => {
    const { text, reasons } = await translated(`${IMPORTS.replace('MemoryStore, ', '')}${lines}\n`);

    expect(reasons).toEqual([]);
    expect(text).toContain(ours);
  });

  it('drops a store in memory, which is ours too', async () => {
    const { text, reasons } = await translated(
      `${IMPORTS.split('\n')[0]}\nconst store = new MemoryStore();\nrateLimit({ max: 5, store });\n`,
    );

    expect(reasons).toEqual([]);
    expect(text).toBe(
      "import { rateLimit } from '@sluice/express';\nrateLimit({ limit: 5, window: '1m', algorithm: 'fixed-window' });\n",
    );
  });
});

describe('@sluice/migrate, of options of another file', () => {
  it('translates the object where it is', async () => {
    const files = new Map([
      [
        'src/limits.ts',
        "import type { Options } from 'express-rate-limit';\nexport const strict: Partial<Options> = { max: 5 };\nexport const loose = { max: 9 };\n",
      ],
      [
        'src/app.ts',
        `import { loose, strict } from './limits.js';\n${ERL}rateLimit(strict);\nrateLimit({ ...loose, message: 'later' });\n`,
      ],
    ]);

    const { changed, translations } = await migrationOf(files);

    expect(translations.flatMap(({ unread }) => unread)).toEqual([]);
    expect(changed.get('src/limits.ts')).toContain('export const strict: Partial<RateLimitOptions> = { limit: 5,');
    expect(changed.get('src/limits.ts')).toContain(
      "export const loose = { limit: 9, window: '1m', algorithm: 'fixed-window' }",
    );
    expect(changed.get('src/app.ts')).toContain("rateLimit(strict);\nrateLimit({ ...loose, body: 'later' });");
  });

  it('refuses the limit whose options are read for something else there', async () => {
    const files = new Map([
      [
        'src/limits.ts',
        "import type { Options } from 'express-rate-limit';\nexport const strict: Partial<Options> = { max: 0 };\n",
      ],
      ['src/app.ts', `import { strict } from './limits.js';\n${ERL}rateLimit(strict);\n`],
    ]);

    const { translations } = await migrationOf(files);

    expect(translations.flatMap(({ unread }) => unread.map(({ what }) => what))).toContain(
      'its options in src/limits.ts:2 are not read',
    );
  });
});

describe('@sluice/migrate, of a name that the program has already', () => {
  it('imports ours by another one', async () => {
    const { text, reasons } = await translated(
      "import { rateLimiter } from 'hono-rate-limiter';\nexport const rateLimit = rateLimiter({ limit: 5, keyGenerator: (c) => c.get('id') });\n",
    );

    expect(reasons).toEqual([]);
    expect(text).toContain(
      "import { by, rateLimit as sluice } from '@sluice/hono';\nexport const rateLimit = sluice({",
    );
  });
});

describe('@sluice/migrate, of a key that is the address of some clients', () => {
  it.each([
    [
      '(req) => { if (req.user) return req.user.id; return ipKeyGenerator(req.ip); }',
      'return req.user.id; return undefined; }',
    ],
    ['(req) => (req.user ? req.user.id : ipKeyGenerator(req.ip))', '(req.user ? req.user.id : undefined))'],
    ['(req) => { const id = read(req); return id ?? req.ip; }', 'return id; }'],
  ])('leaves the address to us, which is the identity of the others: %s', async (key, ours) => {
    const { text, reasons } = await translated(
      `import { ipKeyGenerator, rateLimit } from 'express-rate-limit';\nrateLimit({ keyGenerator: ${key} });\n`,
    );

    expect(reasons).toEqual([]);
    expect(text).toContain(ours);
  });

  it('gives a function with a type of its result the type of ours', async () => {
    const { text } = await translated(
      `${ERL}rateLimit({ keyGenerator: (req: Request): string => (req.body.id ? 'a' : req.ip) });\n`,
      'app.ts',
    );

    expect(text).toContain("(req: Request): string | undefined => (req.body.id ? 'a' : undefined)");
  });
});

describe('@sluice/migrate, of @fastify/rate-limit', () => {
  it.each([
    ['env.WINDOW', 'window: env.WINDOW'],
    ["options.timeWindow ?? '1 minute'", "window: options.timeWindow ?? '1m'"],
    ["isTest ? 1000 : '5 minutes'", "window: isTest ? '1s' : '5m'"],
  ])('carries a window that the file does not tell: %s', async (timeWindow, window) => {
    const { text, reasons } = await translated(`${FRL}app.register(rateLimit, { timeWindow: ${timeWindow} });\n`);

    expect(reasons).toEqual([]);
    expect(text).toContain(window);
  });

  it('takes a client of the application, which is of ioredis', async () => {
    const { text, reasons } = await translated(`${FRL}app.register(rateLimit, { max: 5, redis: app.redis });\n`);

    expect(reasons).toEqual([]);
    expect(text).toContain('store: redisStore(app.redis)');
  });

  it('keeps the store away where the client is absent', async () => {
    const program = `${FRL}let redis: Redis | undefined;\napp.register(rateLimit, { max: 5, redis });\n`;

    expect((await translated(program, 'app.ts')).text).toContain(
      "...(redis ? { name: 'app', store: redisStore(redis) } : {})",
    );
  });

  it.each([
    ["() => ({ code: 'SLOW' })", "onDenied: () => { throw { code: 'SLOW' }; }"],
    [
      '(r, c) => { const e = new Error(c.max); return e; }',
      '(r) => { const e = new Error((r.rateLimit?.binding?.limit ?? 0)); throw e; }',
    ],
    ['() => ({ statusCode: 429 })', 'body: () => ({ statusCode: 429 })'],
  ])('throws what errorResponseBuilder returns, which is what the plugin does: %s', async (builder, ours) => {
    const { text, reasons } = await translated(
      `${FRL}app.register(rateLimit, { errorResponseBuilder: ${builder} });\n`,
    );

    expect(reasons).toEqual([]);
    expect(text).toContain(ours);
  });

  it('gives its error to the error handler of the application', async () => {
    const program = `${FRL}app.setErrorHandler(answer);\napp.register(rateLimit, { errorResponseBuilder: () => ({ statusCode: 429 }) });\n`;

    expect((await translated(program)).text).toContain('onDenied: () => { throw { statusCode: 429 }; }');
  });

  it('gives routes of other files the key of the plugin, if it needs no name of its file', async () => {
    const files = new Map([
      [
        'plugin.js',
        `${FRL}app.register(rateLimit, { max: 9, keyGenerator: (request) => request.user?.id ?? request.ip });\n`,
      ],
      ['routes.js', "app.get('/', { config: { rateLimit: { max: 5, timeWindow: 1000 } } }, answer);\n"],
    ]);

    const { changed } = await migrationOf(files);

    expect(changed.get('routes.js')).toContain("key: by('client', (request) => request.user?.id)");
  });
});

describe('@sluice/migrate, of rate-limiter-flexible', () => {
  const RLF = "import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';\n";

  it.each([
    'export const limiter = new RateLimiterMemory({ points: 5 });',
    'module.exports = { limiter: new RateLimiterMemory({ points: 5 }) };',
    'class Gate { limiter = new RateLimiterMemory({ points: 5 }); }',
    'const of = (points) => new RateLimiterMemory({ points });',
    'const limiter: RateLimiterMemory = new RateLimiterMemory({ points: 5 });',
    'run(new RateLimiterMemory({ points: 5 }));',
  ])('gives a limiter that others call the interface that they know: %s', async (line) => {
    const { text, reasons } = await translated(`${RLF.replace(', RateLimiterRes', '')}${line}\n`, 'app.ts');

    expect(reasons).toEqual([]);
    expect(text).toContain(line.slice(0, line.indexOf('new ')) + 'flexible(createLimiter({');
  });

  it('keeps the names of types, and tests for the figures of a denial', async () => {
    const lines =
      'const wait = (error: unknown) => (error instanceof RateLimiterRes ? error.msBeforeNext : 0);\nconst as = (error: unknown) => error as RateLimiterRes;\n';

    const { text, reasons } = await translated(`${RLF.replace('RateLimiterMemory, ', '')}${lines}`, 'app.ts');

    expect(reasons).toEqual([]);
    expect(text).toContain('(isDenial(error) ? error.msBeforeNext : 0)');
    expect(text).toContain('error as RateLimiterRes;');
    expect(text).toContain('interface RateLimiterRes {');
    expect(text).not.toContain('rate-limiter-flexible');
  });

  it('makes a tier of a block', async () => {
    const { text, reasons } = await translated(
      `${RLF.replace(', RateLimiterRes', '')}new RateLimiterMemory({ points: 5, duration: 60, blockDuration: 300 });\n`,
    );

    expect(reasons).toEqual([]);
    expect(text).toContain("algorithm: 'backoff', charge: 'denied', limit: 0, window: '5m', delays: ['5m'] }");
  });

  it('writes options into the call where the program reads them elsewhere', async () => {
    const { text, reasons } = await translated(
      `${RLF.replace(', RateLimiterRes', '')}const options = { points: 6 };\nnew RateLimiterMemory(options);\nsay(options.points);\n`,
    );

    expect(reasons).toEqual([]);
    expect(text).toContain(
      'const options = { points: 6 };\nflexible(createLimiter({\n  key: ({ key }) => key,\n  limit: 6',
    );
  });

  it('refuses a limiter whose result is read for what ours does not count', async () => {
    const files = new Map([
      [
        'limiter.js',
        `${RLF.replace(', RateLimiterRes', '')}export const limiter = new RateLimiterMemory({ points: 5 });\n`,
      ],
      [
        'login.js',
        "import { limiter } from './limiter.js';\nexport const of = async (ip) => (await limiter.get(ip)).consumedPoints;\n",
      ],
    ]);

    const { translations } = await migrationOf(files);

    expect(translations[0]!.unread.map(({ what }) => what)).toEqual(['consumedPoints is read in login.js']);
  });
});

describe('@sluice/migrate, of @nestjs/throttler', () => {
  const GUARD =
    "import { ThrottlerGuard } from '@nestjs/throttler';\n@Injectable()\nexport class OwnGuard extends ThrottlerGuard {\n";
  const MODULE = `import { ThrottlerModule } from '@nestjs/throttler';
import { OwnGuard } from './own.guard';
@Module({ imports: [ThrottlerModule.forRoot([{ ttl: 1000, limit: 5 }])], providers: [{ provide: APP_GUARD, useClass: OwnGuard }] })
export class AppModule {}
`;
  const nest = async (guard: string, module = MODULE) =>
    migrationOf(
      new Map([
        ['src/app.module.ts', module],
        ['src/own.guard.ts', `${GUARD}${guard}\n}\n`],
      ]),
    );

  it.each([
    [
      '  protected async getTracker(req: Request): Promise<string> { return req.user?.id ?? req.ip; }',
      'key: byHandler()',
      'export async function trackerOf(req: Request): Promise<string | undefined> { return req.user?.id; }',
    ],
    ["  protected errorMessage = 'later';", 'body: denialOf', "return { statusCode: 429, message: 'later' };"],
    [
      '  async throwThrottlingException(context, detail) { throw new HttpException({ wait: detail.timeToExpire }, 429); }',
      'body: denialOf',
      'return { wait: Math.ceil(decision.retryAfter / 1000) };',
    ],
    [
      "  async canActivate(context) { if (process.env.NODE_ENV === 'test') return true; return super.canActivate(context); }",
      'skip: isSkipped',
      "return process.env.NODE_ENV === 'test';",
    ],
  ])('makes options of the module of what a guard of the program overrides: %s', async (method, option, text) => {
    const { changed, translations } = await nest(method);

    expect(translations.flatMap(({ unread }) => unread)).toEqual([]);
    expect(changed.get('src/app.module.ts')).toContain(option);
    expect(changed.get('src/app.module.ts')).toContain('useExisting: OwnGuard');
    expect(changed.get('src/own.guard.ts')).toContain(text);
    expect(changed.get('src/own.guard.ts')).toContain('export { RateLimitGuard as OwnGuard };');
  });

  it('counts by address where a guard returns the address alone', async () => {
    const { changed } = await nest('  async getTracker(req) { return req.ips.length ? req.ips[0] : req.ip; }');

    expect(changed.get('src/app.module.ts')).toContain("compose(byIp(), by('handler', handlerOf))");
    expect(changed.get('src/own.guard.ts')).not.toContain('trackerOf');
  });

  it.each([
    ['  getRequestResponse(context) { return gql(context); }', 'getRequestResponse reads requests of GraphQL'],
    [
      '  async throwThrottlingException() { throw new BadRequestException(); }',
      'throwThrottlingException throws something else than a HttpException of 429',
    ],
    ['  async getTracker(req) { return this.config.of(req); }', 'getTracker uses other members of its class'],
  ])('refuses a guard that does what ours does not, and holds the whole: %s', async (method, what) => {
    const { translations } = await nest(method);

    expect(translations.flatMap(({ unread }) => unread.map((each) => each.what))).toContain(what);
    expect(translations.every(({ text, file }) => text === file.text)).toBe(true);
  });

  it('reads the seconds of version 4', async () => {
    const { text, notes } = await translated(
      "import { ThrottlerGuard, ThrottlerModule } from '@nestjs/throttler';\nThrottlerModule.forRoot({ ttl: 60, limit: 10 });\napp.useGlobalGuards(ThrottlerGuard);\n",
      'app.ts',
    );

    expect(text).toContain("RateLimitModule.forRoot({ limit: 10, window: '1m'");
    expect(notes.join()).toContain('as in version 4');
  });

  it('takes the storage of Redis, the message and the condition of a module', async () => {
    const { text, reasons } = await translated(
      `import { ThrottlerGuard, ThrottlerModule } from '@nestjs/throttler';
app.useGlobalGuards(ThrottlerGuard);
import { ThrottlerStorageRedisService } from '@nest-lab/throttler-storage-redis';
ThrottlerModule.forRoot({ throttlers: [{ ttl: 1000, limit: 5 }], storage: new ThrottlerStorageRedisService(redis), errorMessage: 'later', skipIf: (context) => context.switchToHttp().getRequest().isOwn });
`,
      'app.ts',
    );

    expect(reasons).toEqual([]);
    expect(text).toContain("name: 'default'");
    expect(text).toContain(
      "store: redisStore(redis),\n  body: { statusCode: 429, message: 'later' },\n  skip: (request: any) => request.isOwn,",
    );
  });

  it('replaces one of several throttlers on a handler, and drops what names none', async () => {
    const { text, reasons, notes } = await translated(
      `import { SkipThrottle, Throttle, ThrottlerGuard, ThrottlerModule } from '@nestjs/throttler';
app.useGlobalGuards(ThrottlerGuard);
ThrottlerModule.forRoot([{ name: 'short', ttl: 1000, limit: 5 }, { name: 'long', ttl: 60_000, limit: 50 }]);
class Api {
  @Throttle({ short: { limit: 2, ttl: 1000 } })
  one() {}
  @Throttle({ default: { limit: 2, ttl: 1000 } })
  two() {}
  @SkipThrottle()
  three() {}
}
`,
      'app.ts',
    );

    expect(reasons).toEqual([]);
    expect(text).toContain(
      "  @SkipRateLimit('short')\n  @RateLimit({ limit: 2, window: '1s', algorithm: 'sliding-window-log' })\n  one() {}\n  two() {}\n  three() {}",
    );
    expect(notes.filter((each) => each.includes('has done nothing'))).toHaveLength(2);
  });
});
