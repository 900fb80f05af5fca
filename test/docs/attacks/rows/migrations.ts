import { statusesOf } from '../../../support/responses.js';
import type { Attack } from '../attack.js';
import { expectAdmitted, expectOneBudget, forged, post, times } from '../requests.js';

const APP = 'export const served = app;';
const FORGED = 'forged addresses, a method override, `If-None-Match: *`';

/** Programs of the guides to switch from another limiter. */
export const migrationAttacks: readonly Attack[] = [
  {
    program: 'migrate-from-bottleneck.md#methods',
    sentence: 'limit: 5, window:',
    tries: 'twelve calls at the same time: more than five begin within a second',
    serves: `
const begun: number[] = [];
export const served = async (_request, response) => {
  await inTurn('ada', async () => begun.push(performance.now()));
  const within = begun.map((at) => begun.filter((other) => other >= at && other - at < 900).length);
  response.end(String(Math.max(...within)));
};`,
    async holds(site) {
      const responses = await Promise.all(times(7, {}).map((each) => site.send(each)));
      expect(Math.max(...responses.map(({ text }) => Number(text)))).toBeLessThanOrEqual(5);
    },
  },
  {
    program: 'migrate-from-express-rate-limit.md#before-and-after',
    sentence: 'refundWhen: (status) => status < 400',
    tries: `accounts that are objects or missing; other spellings; ${FORGED}`,
    replaces: ['void response.end()', 'void response.sendStatus(401)'],
    serves: APP,
    async holds(site) {
      const accounts = ['ada', 'Ada', ' ada ', 'ADA', '\uFF21da', 'ada', 'ada'];
      const statuses = statusesOf(await site.sendEach(accounts.map((account) => post({ account }, '/login'))));
      expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429]);
      const made = [['ada'], { toString: 1 }, null, 1.5, [], {}].map((account) => post({ account }, '/login'));
      expect(statusesOf(await site.sendEach(made))).toEqual([401, 401, 401, 401, 401, 429]);
    },
  },
  {
    program: 'migrate-from-fastify-rate-limit.md#before-and-after',
    sentence: "const allowed = new Set(['203.0.113.7']);",
    tries: `the allowed address in headers; ${FORGED}`,
    serves: APP,
    async holds(site) {
      await expectOneBudget(site, 30, [{ path: '/search', from: '203.0.113.7' }, ...forged('/search')]);
      await expectOneBudget(site, 100, [{ path: '/none', from: '203.0.113.7' }, ...forged('/none')]);
    },
  },
  {
    program: 'migrate-from-hono-rate-limiter.md#before-and-after',
    sentence: "skip: ({ context }) => context.req.path === '/health'",
    tries: `addresses of the proxies in headers, paths that look like the skipped one; ${FORGED}`,
    serves: APP,
    async holds(site) {
      const paths = ['/health/', '/HEALTH', '//health', '/x?/health', '/health%2f'].map((path) => ({ path }));
      const responses = await site.sendEach([...forged(), { from: '10.0.0.1' }, ...paths]);
      const left = responses.map(({ headers }) => Number(headers['ratelimit-remaining']));
      expect(left).toEqual(left.map((_, index) => 99 - index));
    },
  },
  {
    program: 'migrate-from-nestjs-throttler.md#before-and-after',
    sentence: "{ name: 'login-burst', limit: 1, window: '1s' }",
    tries: 'ten sign-ins at the same time, in other spellings of the path',
    replaces: ["limit: 1, window: '1s'", "limit: 1, window: '1m'"],
    serves: `import { NestFactory } from '@nestjs/core';\nexport const served = await NestFactory.create(App, { logger: false });`,
    holds: (site) =>
      expectAdmitted(
        site,
        1,
        times(10, 0).map((_, index) =>
          post({}, ['/login', '/LOGIN', '/login/'][index % 3], { 'X-Forwarded-For': `203.0.113.${index}` }),
        ),
      ),
  },
  {
    program: 'migrate-from-rate-limiter-flexible.md#before-and-after',
    sentence: 'cost: costOf,',
    tries: `other spellings of the expensive path; ${FORGED}`,
    serves: APP,
    async holds(site) {
      const paths = ['/search', '/SEARCH', '/search/', '/Search?a=b'];
      const responses = await site.sendEach(paths.map((path) => ({ path })));
      expect(responses.map(({ headers }) => headers['x-ratelimit-remaining'])).toEqual(['95', '90', '85', '80']);
      await expectOneBudget(site, 80, forged());
    },
  },
  {
    program: 'migrate-from-rate-limiter-flexible.md#before-and-after 2',
    sentence: "limit: 10, window: '1s'",
    tries: 'thirty requests at the same time',
    until: 'const { allowed',
    replaces: ["'1s'", "'1m'"],
    serves: 'export const served = limiter;',
    holds: (site) => expectAdmitted(site, 10, times(30, post({ user: 'eve' }))),
  },
];
