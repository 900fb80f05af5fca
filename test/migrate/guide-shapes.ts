/** An application of the shape of a row, and what it becomes: text that is written, or the words of a refusal. */
export interface GuideShape {
  /** The beginning of the row. */
  readonly row: string;
  readonly files: Readonly<Record<string, string>>;
  readonly becomes: readonly string[];
  readonly isRefused?: boolean;
}

const ERL = "import { ipKeyGenerator, rateLimit } from 'express-rate-limit';\n";
const REDIS = `${ERL}import { RedisStore } from 'rate-limit-redis';\n`;
const SEND = 'sendCommand: (...args) => client.call(...args)';
const FRL = "import rateLimit from '@fastify/rate-limit';\n";
const HR = "import { rateLimiter } from 'hono-rate-limiter';\n";
const RLF = "import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';\n";
const LIMITER = 'const limiter = new RateLimiterMemory({ points: 5, duration: 60 });\n';

const one = (row: string, text: string, ...becomes: readonly string[]): GuideShape => ({
  row,
  files: { 'app.ts': text },
  becomes,
});
const refused = (row: string, text: string, ...becomes: readonly string[]): GuideShape => ({
  ...one(row, text, ...becomes),
  isRefused: true,
});

const storeClass = (peer: string) =>
  `import type { Store } from '${peer}';\nexport class OwnStore implements Store { hits = new Map(); increment(key: string) { return this.hits.get(key); } }\n`;

/** A module, its guard, and a controller. */
function nest(rest: string, { guard = '', handler = '', options = '[{ ttl: 1000, limit: 5 }]' } = {}) {
  return {
    'app.module.ts': `import { ThrottlerGuard, ThrottlerModule } from '@nestjs/throttler';\nimport { OwnGuard } from './own.guard';\n@Module({ imports: [ThrottlerModule.forRoot(${options})]${rest} })\nexport class AppModule {}\n`,
    'own.guard.ts': `import { ThrottlerGuard } from '@nestjs/throttler';\nexport class OwnGuard extends ThrottlerGuard { ${guard} }\n`,
    'api.ts': `import { Controller, Get, UseGuards } from '@nestjs/common';\nimport { Throttle, ThrottlerGuard } from '@nestjs/throttler';\n@Controller()\nexport class Api {\n${handler}  @Get()\n  read() {}\n}\n`,
  };
}
const own = (guard: string) => nest(', providers: [{ provide: APP_GUARD, useClass: OwnGuard }]', { guard });
const plain = (given = {}) => nest(', providers: [{ provide: APP_GUARD, useClass: ThrottlerGuard }]', given);

/** By guide, each row of its table of shapes. */
export const GUIDE_SHAPES: Readonly<Record<string, readonly GuideShape[]>> = {
  'express-rate-limit': [
    one(
      '`handler: (req, res, next)',
      `${ERL}rateLimit({ handler: (req, res, next) => next(new HttpError(429)) });\n`,
      'onDenied: (req, res, next) => next(new HttpError(429))',
    ),
    {
      row: '`handler: (req, res) =>',
      files: {
        'app.ts': `${ERL}import { answer } from './answer';\nrateLimit({ handler: (req, res) => answer(res) });\n`,
        'answer.ts': 'export const answer = (response) => response.status(429).end();\n',
      },
      becomes: ['onDenied: (req, res) => answer(res)'],
    },
    one('`message: MESSAGES.slow`', `${ERL}rateLimit({ message: MESSAGES.slow });\n`, 'body: MESSAGES.slow'),
    one(
      '`if (user)',
      `${ERL}rateLimit({ keyGenerator: (req) => { if (req.user) return req.user.id; return ipKeyGenerator(req.ip); } });\n`,
      "by('client', (req) => { if (req.user) return req.user.id; return undefined; })",
    ),
    {
      row: '`const options',
      files: {
        'app.ts': `${ERL}import { strict } from './limits';\nrateLimit(strict);\n`,
        'limits.ts':
          "import type { Options } from 'express-rate-limit';\nexport const strict: Partial<Options> = { max: 5 };\n",
      },
      becomes: ['export const strict: Partial<RateLimitOptions> = { limit: 5,', 'rateLimit(strict)'],
    },
    one(
      'a name `rateLimit`',
      "import limit from 'express-rate-limit';\nexport const rateLimit = limit({ max: 5 });\n",
      'import { rateLimit as sluice }',
    ),
    one(
      '`...(store && { store })`',
      `${REDIS}const store = client ? new RedisStore({ prefix: 'rl:api:', ${SEND} }) : undefined;\nrateLimit({ ...(store && { store }) });\n`,
      "...(store ? { name: 'api', store: store } : {})",
    ),
    one(
      '`store: storeOf',
      `${REDIS}const storeOf = (prefix: string) => new RedisStore({ prefix, ${SEND} });\nrateLimit({ store: storeOf('rl:login:') });\n`,
      "name: 'login', store: storeOf('rl:login:')",
      'const storeOf = (prefix: string) => redisStore(client)',
    ),
    {
      row: '`store: new OwnStore()`',
      files: {
        'app.ts': `${ERL}import { OwnStore } from './store';\nrateLimit({ store: new OwnStore() });\n`,
        'store.ts': storeClass('express-rate-limit'),
      },
      becomes: ["rateLimit({ window: '1m'", 'export class OwnStore {'],
    },
  ],
  'fastify-rate-limit': [
    one('`timeWindow: env', `${FRL}app.register(rateLimit, { timeWindow: env.WINDOW });\n`, 'window: env.WINDOW'),
    one(
      '`timeWindow: options',
      `${FRL}app.register(rateLimit, { timeWindow: options.timeWindow ?? '1 minute' });\n`,
      "window: options.timeWindow ?? '1m'",
    ),
    one('`redis: app.redis`', `${FRL}app.register(rateLimit, { redis: app.redis });\n`, 'store: redisStore(app.redis)'),
    one(
      '`errorResponseBuilder`',
      `${FRL}app.register(rateLimit, { errorResponseBuilder: () => ({ statusCode: 429 }) });\n`,
      'body: () => ({ statusCode: 429 })',
    ),
    one(
      'any other',
      `${FRL}app.register(rateLimit, { errorResponseBuilder: () => ({ code: 'SLOW' }) });\n`,
      "onDenied: () => { throw { code: 'SLOW' }; }",
    ),
    one(
      '`onExceeded`',
      `${FRL}app.register(rateLimit, { onExceeded: (request) => app.log.warn(request.ip) });\n`,
      'onDenied: (request) => { app.log.warn(request.ip); throw ',
    ),
    one(
      '`setNotFoundHandler',
      `${FRL}app.register(rateLimit, { max: 5 });\napp.setNotFoundHandler({ preHandler: app.rateLimit() }, answer);\n`,
      'app.setNotFoundHandler(answer)',
    ),
    one(
      '`app.rateLimit({ … })` there',
      `${FRL}app.register(rateLimit, { max: 5 });\napp.setNotFoundHandler({ preHandler: app.rateLimit({ max: 2 }) }, answer);\n`,
      "name: 'not-found'",
    ),
    one(
      '`route.config.rateLimit',
      `${FRL}app.register(rateLimit, { global: false });\napp.addHook('onRoute', (route) => { route.config.rateLimit = { max: 2 }; });\n`,
      'route.config.rateLimit = { limit: 2,',
    ),
    {
      row: "the plugin's `keyGenerator`",
      files: {
        'app.ts': `${FRL}app.register(rateLimit, { keyGenerator: (request) => request.user?.id ?? request.ip });\n`,
        'routes.ts': "app.get('/', { config: { rateLimit: { max: 5, timeWindow: 1000 } } }, answer);\n",
      },
      becomes: ["limit: 5, window: '1s', algorithm: 'fixed-window', key: by('client',"],
    },
  ],
  'hono-rate-limiter': [
    one(
      '`export const rateLimit',
      `${HR}export const rateLimit = rateLimiter({ limit: 5 });\n`,
      'import { rateLimit as sluice }',
      'export const rateLimit = sluice({',
    ),
    one(
      '`handler: () =>',
      `${HR}rateLimiter({ handler: () => { throw new HTTPException(429); } });\n`,
      'onDenied: () => { throw new HTTPException(429); }',
    ),
    {
      row: '`export const config',
      files: {
        'app.ts': `${HR}import { config } from './config';\nrateLimiter(config);\n`,
        'config.ts':
          "import type { ConfigProps } from 'hono-rate-limiter';\nexport const config: ConfigProps = { limit: 5 };\n",
      },
      becomes: ['export const config: RateLimitOptions = { limit: 5,', 'rateLimit(config)'],
    },
    one(
      '`keyGenerator` that reads only',
      `${HR}rateLimiter({ keyGenerator: (c) => c.req.header('x-real-ip') ?? getConnInfo(c).remote.address });\n`,
      'key: byIp()',
    ),
    one(
      '`new RedisStore({ client })`',
      "import { RedisStore, rateLimiter } from 'hono-rate-limiter';\nconst client = { evalsha: (sha, keys, args) => redis.evalsha(sha, keys.length, ...keys, ...args) };\nrateLimiter({ store: new RedisStore({ client }) });\n",
      'store: redisStore(redis)',
    ),
    {
      row: 'a store of your own whose class',
      files: {
        'app.ts': `${HR}import { OwnStore } from './store';\nrateLimiter({ store: new OwnStore() });\n`,
        'store.ts': storeClass('hono-rate-limiter'),
      },
      becomes: ["rateLimit({ window: '1m'", 'export class OwnStore {'],
    },
    refused(
      'another store of your own',
      `${HR}import { OwnStore } from 'stores';\nrateLimiter({ store: new OwnStore() });\n`,
      'docs/guide/own-store.md',
    ),
  ],
  'nestjs-throttler': [
    {
      row: '`getTracker`',
      files: own('async getTracker(req) { return req.user.id; }'),
      becomes: ['export async function trackerOf(req)', "by('client', trackerOf)"],
    },
    {
      row: '`throwThrottlingException`',
      files: own('async throwThrottlingException() { throw new HttpException({ wait: true }, 429); }'),
      becomes: ['body: denialOf', 'return { wait: true }'],
    },
    {
      row: '`errorMessage`',
      files: plain({ options: "{ throttlers: [{ ttl: 1000, limit: 5 }], errorMessage: 'later' }" }),
      becomes: ["body: { statusCode: 429, message: 'later' }"],
    },
    {
      row: '`canActivate`',
      files: own('async canActivate(context) { if (isTest) return true; return super.canActivate(context); }'),
      becomes: ['skip: isSkipped'],
    },
    {
      row: '`useClass: OwnGuard`',
      files: own(''),
      becomes: ['useExisting: OwnGuard', '{ RateLimitGuard as OwnGuard }'],
    },
    {
      row: '`@Throttle({ short',
      files: plain({
        options: "[{ name: 'short', ttl: 1000, limit: 5 }, { name: 'long', ttl: 9000, limit: 9 }]",
        handler: '  @Throttle({ short: { ttl: 1000, limit: 2 } })\n',
      }),
      becomes: ["@SkipRateLimit('short')", '@RateLimit({ limit: 2,'],
    },
    {
      row: '`@Throttle({ default: { … } })` without',
      files: plain({
        options: "[{ name: 'short', ttl: 1000, limit: 5 }]",
        handler: '  @Throttle({ default: { ttl: 1000, limit: 2 } })\n',
      }),
      becomes: ['export class Api { @Get() read() {}'],
    },
    {
      row: 'limits that no guard',
      files: nest(''),
      becomes: ["mode: 'shadow'", '{ provide: APP_GUARD, useExisting: RateLimitGuard }'],
    },
    {
      row: '`@Throttle` on a handler that no guard',
      files: nest('', {
        handler:
          '  @Throttle({ default: { ttl: 1000, limit: 2 } })\n  @Get()\n  one() {}\n\n  @UseGuards(ThrottlerGuard)\n',
      }),
      becomes: ['export class Api { @Get() one() {} @UseGuards(RateLimitGuard) @Get() read() {}'],
    },
    {
      row: 'a guard that nothing uses',
      files: nest(', providers: [{ provide: APP_GUARD, useClass: ThrottlerGuard }]', { guard: 'shouldSkip() {}' }),
      becomes: ['{ RateLimitGuard as OwnGuard }'],
    },
    {
      row: '`new ThrottlerStorageRedisService',
      files: plain({
        options: '{ throttlers: [{ ttl: 1000, limit: 5 }], storage: new ThrottlerStorageRedisService(client) }',
      }),
      becomes: ['store: redisStore(client)', "name: 'default'"],
    },
    {
      row: '`{ ttl, limit }`',
      files: plain({ options: '{ ttl: 60, limit: 5 }', handler: '  @Throttle(2, 30)\n' }),
      becomes: ["limit: 5, window: '1m'", "@RateLimit({ limit: 2, window: '30s'"],
    },
  ],
  'rate-limiter-flexible': [
    one(
      '`blockDuration`',
      `${RLF}const limiter = new RateLimiterMemory({ points: 5, duration: 60, blockDuration: 300 });\n`,
      "algorithm: 'backoff', charge: 'denied'",
    ),
    one(
      '`error instanceof',
      `${RLF}${LIMITER}limiter.consume(key).catch((error) => say(error instanceof RateLimiterRes));\n`,
      'say(isDenial(error))',
      'function isDenial(',
    ),
    one(
      '`RateLimiterRes`, `RateLimiterMemory` as types',
      `${RLF}const limiter: RateLimiterMemory = new RateLimiterMemory({ points: 5 });\n`,
      'interface RateLimiterMemory {',
      'interface RateLimiterRes {',
    ),
    one('`limiter.points`', `${RLF}${LIMITER}say(limiter.points);\n`, '{ points: 5, duration: 60 })'),
    one(
      '`isFirstInDuration`',
      `${RLF}${LIMITER}limiter.consume(key).then((result) => say(result.isFirstInDuration));\n`,
      'isFirstInDuration: allowed &&',
    ),
    refused(
      '`consumedPoints`',
      `${RLF}${LIMITER}limiter.get(key).then((result) => say(result.consumedPoints));\n`,
      'consumedPoints is read',
    ),
    refused(
      'a client of node-redis',
      `${RLF}const client = createClient({ host: 'a' });\nconst limiter = new RateLimiterRedis({ storeClient: client });\n`,
      'redisStore({ url })',
    ),
  ],
};
