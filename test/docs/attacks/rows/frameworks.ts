import { statusesOf } from '../../../support/responses.js';
import { sendRaw } from '../../../support/raw-request.js';
import type { Attack } from '../attack.js';
import { expectAdmitted, expectOneBudget, forged, forgedAndPreflight, post } from '../requests.js';

const APP = 'export const served = app;';
const FORGED = 'forged addresses, a method override, `If-None-Match: *`';
const bearer = (token: string) => ({ path: '/me', headers: { Authorization: `Bearer ${token}` } });
const NONE = Buffer.from('{"alg":"none"}').toString('base64url');
const ADA = Buffer.from('{"sub":"ada"}').toString('base64url');
/** Tokens that nothing has signed. */
const TOKENS = [`${NONE}.${ADA}.`, `${NONE}.${ADA}`, `e30.${ADA}.x`, ''];

/** Programs of Fastify, NestJS, Hono, web standards and Node alone. */
export const frameworkAttacks: readonly Attack[] = [
  {
    program: 'beyond-middleware.md#websockets',
    sentence: 'One limiter can count HTTP requests, WebSockets, batches and jobs together.',
    tries: 'upgrades and requests in turn; forged addresses in upgrades',
    until: 'server.listen(0);',
    serves: 'export const served = server;',
    async holds(site) {
      const lines = (claim: string) => ['Connection: Upgrade', 'Upgrade: websocket', `X-Forwarded-For: ${claim}`];
      const statuses = [(await site.send()).status];
      for (const claim of ['203.0.113.1', '203.0.113.2', '203.0.113.3', '203.0.113.4']) {
        statuses.push((await sendRaw(site.port, { lines: lines(claim) })).status);
      }
      expect(statuses).toEqual([200, 101, 101, 429, 429]);
    },
  },
  {
    program: 'beyond-middleware.md#other-frameworks',
    sentence: '`createGate` of `@sluice/http` decides, sets headers, waits a `delay` and makes the body.',
    tries: `${FORGED}, a preflight with a body, HEAD`,
    serves: 'export const served = server;',
    holds: (site) => expectOneBudget(site, 1, forgedAndPreflight()),
  },
  {
    program: 'observability.md#from-nothing-to-a-dashboard',
    sentence: 'Names of tiers and stores are on the page; identities, keys and addresses of clients are not.',
    tries: 'keys, addresses and paths that should not be on the page of metrics',
    serves: APP,
    async holds(site) {
      await site.sendEach([...forged('/private'), { headers: { 'X-API-Key': 'my-secret' } }]);
      const { text } = await site.send({ path: '/metrics' });
      expect(text).toContain('sluice_decisions_total');
      expect(text).not.toMatch(/my-secret|127\.0\.0\.1|203\.0\.113|private/);
    },
  },
  {
    program: 'fastify.md#example',
    sentence: 'HEAD counts with GET.',
    tries: `HEAD and GET in turn; ${FORGED}`,
    until: 'for (const path of',
    serves: APP,
    async holds(site) {
      await expectOneBudget(site, 10, [{ path: '/search', method: 'HEAD' }, ...forged('/search')]);
      await expectOneBudget(site, 91, [...forged('/nowhere'), { path: '/SEARCH' }, { path: '//search' }]);
    },
  },
  {
    program: 'fastify.md#hooks-and-a-plugin-without-a-limit',
    sentence: 'One hook on several routes is one budget.',
    tries: `both routes in turn; ${FORGED}`,
    serves: APP,
    async holds(site) {
      await expectOneBudget(site, 100, [...forged('/articles'), ...forged('/authors')]);
      await expectOneBudget(
        site,
        20,
        ['/a', '/ARTICLES', '//articles', '/articles/'].map((path) => ({ path })),
      );
    },
  },
  {
    program: 'fastify.md#by-address-first-then-by-user',
    sentence: 'A forged token costs its address one unit, and no user.',
    tries: 'tokens that nothing has signed',
    serves: APP,
    async holds(site) {
      const statuses = statusesOf(await site.sendEach([...TOKENS, ...TOKENS].map(bearer)));
      // A token without an algorithm is 500 in @fastify/jwt.
      expect(statuses).toEqual([401, 401, 500, 401, 429, 429, 429, 429]);
    },
  },
  {
    program: 'fastify.md#redis-for-several-processes',
    sentence: "On a store that you pass in, the plugin's tier and those of hooks need names; routes have one.",
    tries: FORGED,
    serves: APP,
    holds: (site) => expectOneBudget(site, 100, forged()),
  },
  {
    program: 'hono.md#hono-in-five-minutes',
    sentence: 'The limit counts requests by client address, including those that end in 404, but not CORS preflights.',
    tries: `${FORGED}, a preflight with a body, HEAD, unknown paths`,
    until: 'for (let request',
    serves: APP,
    holds: (site) => expectOneBudget(site, 2, [...forgedAndPreflight(), { path: '/none' }]),
  },
  {
    program: 'nestjs.md#nestjs-in-five-minutes',
    sentence: 'It defines limits for all handlers, and **the guard enforces them**',
    tries: `other spellings of a path; ${FORGED}`,
    until: 'await app.listen(0);',
    serves: APP,
    async holds(site) {
      const paths = ['/login', '/LOGIN', '/login/', '/Login?a=b'];
      const requests = [...paths.map((path) => post({}, path)), ...forged('/login', 'POST')];
      expect(statusesOf(await site.sendEach(requests)).filter((status) => status === 201)).toHaveLength(5);
    },
  },
  {
    program: 'nestjs.md#before-and-after-authentication',
    sentence: 'A request that the second stage denies has already cost its address a unit.',
    tries: 'tokens that name no user; other spellings of a token',
    serves: `
import { NestFactory } from '@nestjs/core';
export const served = await NestFactory.create(App, { logger: false });`,
    async holds(site) {
      const report = (authorization: string) => ({ path: '/report', headers: { Authorization: authorization } });
      const spellings = ['Bearer token-of-ada', 'Bearer token-of-ada ', 'bearer token-of-ada', 'Bearer  token-of-ada'];
      const statuses = statusesOf(await site.sendEach([...spellings, 'Bearer token-of-', ''].map(report)));
      expect(statuses).toEqual([200, 429, 401, 401, 401, 401]);
    },
  },
  {
    program: 'web-standards.md#nextjs-bun-deno-workers-and-koa',
    sentence: 'A `Request` has no address, and clients can write `X-Forwarded-For`.',
    tries: 'forged addresses in headers; the addresses of a /64; an IPv4 address as IPv6 maps it',
    serves: `
export const served = {
  consume: async ({ ip }: { ip: string }) => {
    const headers = { 'x-forwarded-for': ip, forwarded: \`for=\${ip}\` };
    const address = ip.startsWith('203.0.113.') ? '192.0.2.7' : ip;
    return { allowed: (await handle(new Request('https://shop.example/', { headers }), address)).ok };
  },
};`,
    async holds(site) {
      await expectAdmitted(
        site,
        2,
        ['203.0.113.1', '203.0.113.2', '203.0.113.3'].map((ip) => post({ ip })),
      );
      await expectAdmitted(
        site,
        2,
        ['2001:db8::1', '2001:DB8:0:0::2', '2001:db8::3:4'].map((ip) => post({ ip })),
      );
      await expectAdmitted(
        site,
        0,
        ['::ffff:192.0.2.7', '192.0.2.7:80'].map((ip) => post({ ip })),
      );
    },
  },
  {
    program: 'web-standards.md#koa',
    sentence: '`ctx.ip` follows `app.proxy`.',
    tries: `${FORGED}, a preflight with a body, HEAD`,
    serves: APP,
    holds: (site) => expectOneBudget(site, 2, forgedAndPreflight()),
  },
];
