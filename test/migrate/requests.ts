/** A request to a program, before and after. */
export interface SentRequest {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** How long to wait behind the answer, for a refund. In milliseconds. */
  readonly later?: number;
}

const get = (...paths: readonly string[]): SentRequest[] => paths.map((path) => ({ path }));
const times = (count: number, request: SentRequest): SentRequest[] => Array.from({ length: count }, () => request);
const withHeader = (name: string, ...values: readonly string[]): SentRequest[] =>
  values.map((value) => ({ path: '/', headers: { [name]: value } }));
const counted = (path: string, ...statuses: readonly number[]): SentRequest[] =>
  statuses.map((status) => ({ path: `${path}?status=${status}`, later: 20 }));
const refunds = [
  ...counted('/failed', 200, 500, 500, 404, 200, 200),
  ...counted('/successful', 200, 200, 200, 500, 404, 200),
  ...counted('/own', 200, 404, 404, 500, 200),
];

/** Of two clients behind a proxy that the program trusts, and of the proxy's machine itself. */
const FORWARDED = withHeader('x-forwarded-for', '203.0.113.1', '203.0.113.1', '203.0.113.2', '203.0.113.1').concat(
  times(2, { path: '/' }),
);

/** The requests of each program, some of which it denies. Programs without any are left alone. */
export const REQUESTS: Readonly<Record<string, readonly SentRequest[] | undefined>> = {
  'express-rate-limit/usage.mjs': times(5, { path: '/' }),
  'express-rate-limit/failing.mjs': get(
    '/next',
    '/next',
    '/throw',
    '/throw',
    '/message',
    '/message',
    '/user?user=a',
    '/user?user=a',
    '/user?user=b',
    '/user',
    '/user',
  ),
  'express-rate-limit/common-js.cjs': [
    ...times(3, { path: '/api/items' }),
    ...times(2, { method: 'POST', path: '/accounts' }),
  ],
  'express-rate-limit/config.cjs': [
    ...times(4, { path: '/api/items' }),
    ...times(2, { method: 'POST', path: '/login' }),
  ],
  'express-rate-limit/environment.cjs': [...times(3, { path: '/all' }), ...times(3, { path: '/some' })],
  'express-rate-limit/forwarded.mjs': FORWARDED,
  'fastify-rate-limit/forwarded.mjs': FORWARDED,
  'express-rate-limit/factory.mjs': get(
    '/factory/read',
    '/factory/read',
    '/factory/write',
    '/factory/write',
    '/factory/read',
    '/factory/pay',
    '/factory/pay',
  ),
  'express-rate-limit/stages.mjs': [
    ...times(7, { path: '/free' }),
    ...times(2, { path: '/strict' }),
    ...times(3, { path: '/window' }),
    ...times(6, { path: '/name' }),
    ...get('/guests', '/guests', '/guests?user=a', '/guests?user=a'),
  ],
  'express-rate-limit/network.mjs': ['2001:db8::1', '2001:db8::1', '2001:db8::2', '2001:db8:0:100::1'].flatMap(
    (address) =>
      ['1-2', '3-4', ''].map((account) => ({
        method: 'POST',
        path: `/login?account=${account}`,
        headers: { 'x-forwarded-for': address },
      })),
  ),
  'express-rate-limit/spread.cjs': [
    ...times(4, { path: '/inherited' }),
    ...times(2, { path: '/own' }),
    ...times(4, { path: '/overridden' }),
  ],
  'express-rate-limit/message.mjs': get('/text', '/text', '/json', '/json', '/function', '/function'),
  'express-rate-limit/keys.mjs': [
    ...get('/query?key=a', '/query?key=a', '/query?key=b', '/either?user=a', '/either?user=a', '/either', '/either'),
    ...get('/header', '/header', '/address', '/address'),
    { path: '/header', headers: { 'x-api-key': 'a' } },
  ],
  'express-rate-limit/skip.mjs': withHeader('x-caller', 'internal', 'other', 'other', 'internal'),
  'express-rate-limit/failed.mjs': refunds,
  'express-rate-limit/limit-function.mjs': withHeader('x-plan', 'free', 'free', 'pro', 'pro', 'pro', 'pro'),
  'express-rate-limit/handler.mjs': times(3, { path: '/' }),
  'express-rate-limit/typed.ts': get('/one?id=a', '/one?id=a', '/one?id=b', '/two?id=a', '/two?id=a', '/two?id=a'),
  'express-rate-limit/redis.mjs': get('/api', '/api', '/api', '/login', '/login'),
  'express-rate-limit/stores.mjs': [
    ...get('/function', '/function', '/function', '/other', '/other'),
    ...get('/spread', '/spread', '/choice', '/choice'),
  ],
  // Behind these, a 404 has counted in the plugin's limit too.
  'fastify-rate-limit/not-found.mjs': get('/', '/missing', '/missing', '/missing'),
  'fastify-rate-limit/redis.mjs': get('/', '/missing', '/', '/missing'),
  'fastify-rate-limit/usage.mjs': times(4, { path: '/' }),
  'fastify-rate-limit/failing.mjs': [
    ...get('/', '/', '/', '/own', '/own'),
    ...withHeader('x-user', 'ada', 'ada', 'ada', 'bob'),
  ],
  'fastify-rate-limit/routes.mjs': [
    ...times(2, { path: '/own' }),
    ...times(4, { path: '/inherited' }),
    ...times(3, { path: '/hook' }),
    ...times(5, { path: '/free' }),
  ],
  'fastify-rate-limit/global.cjs': [
    ...times(3, { path: '/' }),
    ...times(4, { path: '/more' }),
    ...times(5, { path: '/free' }),
  ],
  'fastify-rate-limit/shared.ts': [
    ...times(3, { method: 'POST', path: '/orders' }),
    ...times(3, { method: 'DELETE', path: '/orders' }),
  ],
  'fastify-rate-limit/keys.ts': [
    ...withHeader('x-user', 'ada', 'ada', 'bob', 'bob'),
    ...withHeader('x-plan', 'pro', 'pro', 'pro', 'pro'),
    ...withHeader('x-caller', 'internal', 'internal'),
  ],
  // Without a proxy that the program names: ours counts no header that clients write.
  'hono-rate-limiter/usage.mjs': times(3, { path: '/' }),
  'hono-rate-limiter/options.ts': [
    ...get('/address', '/address', '/skip', '/skip', '/skip?skip=yes', '/limit', '/limit'),
    ...get('/limit?plan=pro', '/limit?plan=pro', '/limit?plan=pro', '/json', '/json', '/status', '/status'),
  ],
  'hono-rate-limiter/failed.mjs': refunds,
  'hono-rate-limiter/failing.mjs': withHeader('x-key', 'a', 'a', 'b', 'b'),
  'hono-rate-limiter/handler.cjs': times(3, { path: '/' }),
  'hono-rate-limiter/redis.mjs': withHeader('x-key', 'a', 'a', 'a', 'b'),
  'nestjs-throttler/guard.ts': [
    ...times(3, { path: '/both' }),
    ...times(2, { path: '/short' }),
    ...times(3, { path: '/none' }),
    ...times(4, { path: '/free' }),
    ...['ada', 'ada', 'ada', 'bob'].map((user) => ({ path: '/both', headers: { 'x-user': user } })),
  ],
  'nestjs-throttler/usage.ts': [
    ...times(3, { path: '/one' }),
    ...times(3, { path: '/two' }),
    ...times(4, { path: '/free' }),
    ...times(4, { path: '/more' }),
  ],
  'nestjs-throttler/tiers.ts': [
    ...times(2, { path: '/limited' }),
    ...times(4, { path: '/limited/long' }),
    ...times(2, { path: '/free' }),
  ],
  'nestjs-throttler/factory.ts': [...times(2, { path: '/' }), ...times(2, { method: 'POST', path: '/' })],
  'nestjs-throttler/logged.ts': withHeader('x-user', 'ada', 'ada', 'ada', 'bob').concat(times(3, { path: '/' })),
  // Nothing is denied, before or after.
  'nestjs-throttler/unguarded.ts': get('/module', '/module', '/own', '/own', '/missing'),
  'nestjs-throttler/redis.ts': get(
    '/module',
    '/module',
    '/module',
    '/own',
    '/own',
    '/free',
    '/free',
    '/free',
    '/missing',
  ),
  'nestjs-throttler/config.ts': [...times(3, { path: '/module' }), ...times(2, { path: '/own' })],
  'rate-limiter-flexible/shared.mjs': get('/gate', '/gate', '/gate', '/login', '/login', '/login', '/forget', '/login'),
  'rate-limiter-flexible/factory.cjs': get('/read', '/read', '/write', '/write', '/read'),
  'rate-limiter-flexible/middleware.cjs': times(4, { path: '/' }),
  'rate-limiter-flexible/await.ts': withHeader('x-user', 'ada', 'ada', 'ada', 'bob'),
  'rate-limiter-flexible/forgiven.cjs': ['wrong', 'right', 'wrong', 'wrong', 'wrong', 'right'].map((password) => ({
    method: 'POST',
    path: '/login',
    headers: { 'x-user': 'ada', 'x-password': password },
  })),
  'rate-limiter-flexible/redis.mjs': times(5, { path: '/' }),
};

/** Programs whose keys in Redis begin with the name of their deployment, and what each of two deployments is sent. */
export const DEPLOYED: Readonly<Record<string, readonly SentRequest[]>> = {
  'express-rate-limit/deployed.mjs': times(4, { path: '/' }),
  'fastify-rate-limit/deployed.mjs': times(4, { path: '/' }),
  'rate-limiter-flexible/deployed.mjs': times(4, { path: '/' }),
};

/** Programs that keep a limit of their library beside ours. */
export const BESIDE: Readonly<Record<string, readonly SentRequest[]>> = {
  'express-rate-limit/beside.mjs': [...times(3, { path: '/api' }), ...times(4, { path: '/login' })],
  'rate-limiter-flexible/beside.cjs': [...times(3, { path: '/api' }), ...times(4, { path: '/login' })],
};
