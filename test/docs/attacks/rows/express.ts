import { statusesOf } from '../../../support/responses.js';
import type { TestResponse } from '../../../support/site.js';
import type { Attack } from '../attack.js';
import { expectAdmitted, expectOneBudget, forged, forgedAndPreflight, post } from '../requests.js';

const APP = 'export const served = app;';
const FORGED = 'forged addresses, a method override, `If-None-Match: *`, a preflight with a body, HEAD';

export const expressAttacks: readonly Attack[] = [
  {
    program: 'getting-started.md#example',
    sentence: 'Each address gets two requests a minute',
    tries: FORGED,
    serves: APP,
    holds: (site) => expectOneBudget(site, 2, forgedAndPreflight()),
  },
  {
    program: 'getting-started.md#one-route-or-one-router',
    sentence: 'One value on several routes is one budget for all of them.',
    tries: 'the path in capitals, with a slash behind it, with a query; HEAD',
    serves: APP,
    holds: (site) =>
      expectOneBudget(site, 10, [
        ...['/search', '/SEARCH', '/search/', '/Search/?q=1'].map((path) => ({ path })),
        { method: 'HEAD', path: '/search' },
      ]),
  },
  {
    program: 'getting-started.md#requests-that-do-not-count',
    sentence:
      'CORS preflights never count, and a preflight of a denied address gets 403. Mount health checks before the limiter, or skip them:',
    tries:
      'addresses of the own network in headers; a preflight with a body; `If-None-Match: *`; paths that look public',
    serves: `app.get('/work', (_request, response) => void response.send('done'));\n${APP}`,
    holds: (site) =>
      expectOneBudget(site, 100, [
        { path: '/work', from: '10.0.0.1' },
        { path: '/work', headers: { Forwarded: 'for=10.0.0.1', 'X-Real-IP': '10.0.0.1' } },
        ...forgedAndPreflight('/work'),
        ...['//public/', '/work?/public/', '/x/../public/'].map((path) => ({ path })),
      ]),
  },
  {
    program: 'getting-started.md#requests-that-do-not-count',
    sentence: "allow: ['10.0.0.0/8'], // your own network",
    tries: 'through a balancer of the own network that `trust proxy` does not name',
    replaces: ["'10.0.0.0/8'", "'127.0.0.0/8'"],
    serves: `app.get('/work', (_request, response) => void response.send('done'));\n${APP}`,
    holds: (site) =>
      expectOneBudget(
        site,
        100,
        ['203.0.113.1', '203.0.113.2', '127.0.0.1'].map((from) => ({ path: '/work', from })),
      ),
  },
  {
    program: 'getting-started.md#several-tiers-decided-together',
    sentence: 'A client without an API key is counted by its address, never unlimited.',
    tries: 'a new API key for each request, none, an empty one, two in one header',
    serves: APP,
    async holds(site) {
      const keys = ['a', 'b', '', 'c, d', 'e'].map((key) => ({ headers: { 'X-API-Key': key } }));
      const statuses = statusesOf(await site.sendEach(keys));
      expect(statuses.slice(0, 3)).toEqual([200, 200, 429]);
    },
  },
  {
    program: 'getting-started.md#redis-for-several-processes',
    sentence: 'Guesses are not allowed while Redis is down: 503.',
    tries: 'other spellings of the path; forged addresses',
    serves: `app.use((_request, response) => void response.sendStatus(401));\n${APP}`,
    holds: (site) =>
      expectOneBudget(site, 5, [
        ...['/login', '/LOGIN', '/login/', '/login/x'].map((path) => post({}, path)),
        ...forged('/login', 'POST'),
      ]),
  },
  {
    program: 'headers.md#example',
    sentence: 'A request to which no enforced tier applies gets none.',
    tries: 'forged addresses; rate-limit headers in the request',
    serves: APP,
    async holds(site) {
      const own = { 'RateLimit-Remaining': '999', RateLimit: 'limit=999', 'Retry-After': '0' };
      const responses = await site.sendEach([...forged('/draft-6').slice(0, 3), { path: '/draft-6', headers: own }]);
      expect(responses.map(({ headers }) => headers['ratelimit-remaining'])).toEqual(['19', '18', '17', '16']);
    },
  },
  {
    program: 'headers.md#a-json-body-of-your-own',
    sentence: 'Status, `Retry-After` and the other headers stay:',
    tries: 'forged addresses, and a body of its own in the request',
    serves: APP,
    async holds(site) {
      await site.send();
      const denied = await site.send({ ...post({ error: 'none' }), path: '/' });

      expect([denied.status, Number(denied.headers['retry-after']) > 0]).toEqual([429, true]);
      expect(JSON.parse(denied.text)).toMatchObject({ error: { code: 'too_many_requests' } });
    },
  },
  {
    program: 'headers.md#show-a-visitor-what-is-left',
    sentence: 'Here the page itself costs nothing, and each call costs one unit:',
    tries: 'other spellings of the path, and the page again and again',
    serves: APP,
    async holds(site) {
      const pages = await site.sendEach(Array.from({ length: 5 }, () => ({ path: '/' })));
      const calls = await site.sendEach(['/quote', '/QUOTE', '/quote/', '//', '/?/quote'].map((path) => ({ path })));

      expect(statusesOf(pages)).toEqual([200, 200, 200, 200, 200]);
      expect(calls.filter(({ status, text }) => status === 200 && text.includes('Less is more.'))).toHaveLength(3);
    },
  },
  {
    program: 'headers.md#a-custom-429-page-in-html',
    sentence: '`onDenied` sends HTML to clients that want it',
    tries: 'markup in the path, in a query, in headers; any `Accept`',
    replaces: ['limit: 100', 'limit: 1'],
    serves: `import express from 'express';\nexport const served = express().use(withHtml);`,
    async holds(site) {
      const markup = '<script>alert(1)</script>';
      const path = `/${encodeURIComponent(markup)}?q=${markup}`;
      const accepts = ['text/html', '*/*', markup, 'image/png', ''];
      const requests = accepts.map((accept) => ({ path, headers: { Accept: accept, 'User-Agent': markup } }));
      const [, ...denied] = await site.sendEach([{ path }, ...requests]);
      expect(new Set(statusesOf(denied))).toEqual(new Set([429]));
      expect(JSON.stringify(denied.map(({ text }) => text))).not.toMatch(/script|alert/);
      expect(denied[0]).toMatchObject({ text: expect.stringContaining('<h1>') as string });
    },
  },
  {
    program: 'many-workers.md#example',
    sentence: 'a client that writes its own name has a place for each name that it writes',
    tries: 'a worker that comes early again and again, for a better place or a second one',
    until: 'const server =',
    serves: 'export const served = app;',
    async holds(site) {
      const as = (worker: string) => ({ path: '/', headers: { authorization: `Bearer ${worker}` } });
      await site.sendTimes(60, as('busy'));
      const waitOf = async (worker: string) => Number((await site.send(as(worker))).headers['retry-after-ms']);
      const first = await waitOf('ada');
      const second = await waitOf('bob');
      const early: number[] = [];
      for (let index = 0; index < 20; index += 1) early.push(await waitOf('bob'));
      expect(second).toBeGreaterThan(first);
      expect(Math.max(...early)).toBeLessThanOrEqual(second);
      // Those that came early have not moved the line.
      expect(await waitOf('eve')).toBeLessThanOrEqual(second + 60_000);
    },
  },
  {
    program: 'overload-queues.md#example',
    sentence: 'a client that calls itself critical must not be believed',
    tries: 'the header of a service in requests of clients, while the database is stuck',
    until: 'const server =',
    replaces: ['2_000', '1_000'],
    serves: 'export const served = app;',
    async holds(site) {
      const reports = Array.from({ length: 4 }, () => ({ path: '/report', headers: { 'x-priority': 'critical' } }));
      const answers = await Promise.all(reports.map((report) => site.send(report)));
      const refused = statusesOf(answers).filter((status) => status === 503).length;
      expect([answers.length - refused, refused]).toEqual([1, 3]);
    },
  },
  {
    program: 'overload-queues.md#retries',
    sentence: 'A budget allows a tenth more calls than there are first tries, in any ten seconds',
    tries: '50 calls to an upstream that fails each of them',
    serves: `
import { createServer } from 'node:http';
import { once } from 'node:events';
let calls = 0;
const upstream = createServer((request) => {
  calls += 1;
  request.socket.destroy();
});
upstream.listen(0).unref();
await once(upstream, 'listening');
const url = \`http://127.0.0.1:\${upstream.address().port}\`;
export const served = {
  consume: async () => {
    await Promise.all(Array.from({ length: 50 }, () => quote(url).catch(() => 0)));
    return { allowed: calls === 55 };
  },
};`,
    holds: (site) => expectAdmitted(site, 1, [post({})]),
  },
  {
    program: 'overload.md#example',
    sentence: 'No store is called, and nothing is charged.',
    tries: 'a hundred clients that claim to be the health check, until one of them is refused',
    until: 'const server',
    serves: APP,
    async holds(site) {
      const claims = { 'X-Original-URL': '/health', 'X-Forwarded-Prefix': '/health', Priority: 'u=0' };
      const answers: TestResponse[] = [];
      let sent = 0;
      // On a busy machine a hundred requests do not arrive together. As many that always wait are a queue on any machine.
      const client = async () => {
        while (sent < 900 && !statusesOf(answers).includes(503)) {
          sent += 1;
          answers.push(await site.send({ path: '/page', headers: claims }));
        }
      };
      await Promise.all(Array.from({ length: 100 }, client));
      const served = statusesOf(answers).filter((status) => status === 200).length;
      const refused = statusesOf(answers).filter((status) => status === 503).length;
      expect(refused).toBeGreaterThan(0);
      expect(served + refused).toBe(sent);
      const [health] = await site.sendEach([{ path: '/health' }]);
      expect(health!.headers).toMatchObject({ 'x-ratelimit-remaining': String(1_000 - served - 1) });
    },
  },
];
