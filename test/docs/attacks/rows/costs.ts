import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate } from 'node:timers/promises';
import { statusesOf } from '../../../support/responses.js';
import type { Site } from '../../../support/site.js';
import { until } from '../../../support/until.js';
import type { Attack } from '../attack.js';
import { expectAdmitted, expectOneBudget, forged, post, times } from '../requests.js';

const APP = 'export const served = app;';
const KB = 1_024;
const CHUNK = 10 * KB;

/** Programs whose requests cost different amounts. */
export const costAttacks: readonly Attack[] = [
  {
    program: 'plans-and-costs.md#example-reserve-then-settle',
    sentence:
      'A request reserves an estimate; `settle` then refunds the difference, or charges what is missing, until the budget is used up.',
    tries: 'three long prompts at the same time; prompts that are arrays, objects or missing',
    serves: APP,
    async holds(site) {
      await expectAdmitted(site, 1, times(3, post({ prompt: 'x'.repeat(1_600) }, '/complete')));
      const bodies = [{ prompt: ['x'] }, { prompt: { length: 1e9 } }, [], {}];
      expect(statusesOf(await site.sendEach(bodies.map((body) => post(body, '/complete'))))).not.toContain(500);
    },
  },
  {
    program: 'plans-and-costs.md#costs',
    sentence: 'admitted without a charge; do not let clients reach 0, for example by `[]`',
    tries: 'no items, an object, text; more items than fit',
    serves: `import express from 'express';\nexport const served = express().post('/', express.json(), imports);`,
    async holds(site) {
      await expectOneBudget(site, 10, [post([]), post({}), { method: 'POST', path: '/', body: 'x' }]);
      expect(statusesOf(await site.sendEach([post(times(101, 1)), post(times(98, 1))]))).toEqual([422, 429]);
    },
  },
  {
    program: 'plans-and-costs.md#plans',
    sentence: 'never return it for an unknown key',
    tries: 'keys that are names of members of objects, in capitals, empty, or two in one header',
    serves: APP,
    async holds(site) {
      const keys = ['__proto__', 'constructor', 'KEY-2', '', 'key-1, key-2'].map((key) => ({
        headers: { 'X-API-Key': key },
      }));
      expect(statusesOf(await site.sendEach(keys))).toEqual([200, 429, 429, 429, 429]);
      await expectOneBudget(
        site,
        10,
        [' key-1', 'key-1 '].map((key) => ({ headers: { 'X-API-Key': key } })),
      );
    },
  },
  {
    program: 'policies.md#example',
    sentence: 'A plan that the file does not have gets `otherwise`.',
    tries:
      'ten requests of a tenant at the same time; plans with the names of `otherwise` and of properties of objects',
    serves: 'export const served = limiter;',
    async holds(site) {
      const ask = (tenant: string, plan: string) => times(10, post({ ip: '203.0.113.7', tenant, plan }));
      await expectAdmitted(site, 3, ask('acme', 'free'));
      await expectAdmitted(site, 3, ask('globex', '__proto__'));
      await expectAdmitted(site, 3, ask('initech', 'otherwise'));
      await expectAdmitted(site, 3, ask('umbrella', 'constructor'));
    },
  },
  {
    program: 'plans-and-costs.md#raise-one-customer',
    sentence: 'Its used units stay counted:',
    tries: 'to spend the whole limit again when it is raised, and that of another account with a similar name',
    until: 'overridesOf(limiter).set(',
    replaces: ['limit: 1_000', 'limit: 2'],
    serves: `
export const served = {
  consume({ account, limit }: { account: string; limit?: number }) {
    if (limit) overridesOf(limiter).set({ tier: 'account-hour', identity: 'account-7', limit, reason: 'a test' });
    return limiter.consume(account);
  },
};`,
    async holds(site) {
      const asks = ['account-7', 'account-7', 'account-7', 'account-70', 'account-70', 'account-70'];
      const first = await site.sendEach(asks.map((account) => post({ account })));
      const raised = [post({ account: 'account-7', limit: 3 }), post({ account: 'account-7' })];
      const then = await site.sendEach([...raised, post({ account: 'account-70' })]);
      expect(statusesOf([...first, ...then])).toEqual([200, 200, 429, 200, 200, 429, 200, 429, 429]);
    },
  },
  {
    program: 'plans-and-costs.md#refunds',
    sentence: '**Refund no status that a client can bring about**',
    tries:
      '`If-None-Match: *`, an input that makes the handler throw, a client that leaves, six guesses at the same time',
    serves: `
import express from 'express';
export const served = express();
served.post('/login', guesses, (_request, response) => void response.sendStatus(401));
served.get('/work', calls, ({ query }, response) => void response.send(query.text.trim()));
served.get('/slow', calls, (_request, response) => void setTimeout(() => response.send('slow'), 50));
served.use((_error, _request, response, _next) => void response.sendStatus(500));`,
    async holds(site) {
      const work = { path: '/work?text=a', headers: { 'If-None-Match': '*' } };
      await expectOneBudget(site, 100, [work, work, { path: '/work?text[a]=b' }, { path: '/work' }]);
      const leaver = site.start({ path: '/slow' }).on('error', () => undefined);
      await new Promise((resolve) => leaver.once('socket', resolve));
      const { headers } = await site.send(work);
      expect(Number(headers['x-ratelimit-remaining'])).toBeLessThanOrEqual(95);
      leaver.destroy();
      const statuses = statusesOf(await Promise.all(times(7, post({}, '/login')).map((each) => site.send(each))));
      expect(statuses.filter((status) => status === 401)).toHaveLength(5);
    },
  },
  {
    program: 'llm.md#example-a-stream',
    sentence: '`add` returns false when the budget is used up',
    tries: 'five answers at the same time; a prompt of 10 000 tokens on a budget of 1 000',
    until: "await ask('ada', 'What",
    serves: `
import { json } from 'node:stream/consumers';
export const served = async (request, response) => {
  const { user, text } = await json(request);
  await ask(user, text, 663);
  const { allowed, outcomes } = await limiter.peek({ user, text: '' });
  response.writeHead(allowed ? 200 : 429).end(JSON.stringify(outcomes.map(({ remaining }) => remaining)));
};`,
    async holds(site) {
      const statuses = statusesOf(
        await Promise.all(times(5, post({ user: 'ada', text: 'Hi' })).map((each) => site.send(each))),
      );
      expect(statuses).toContain(429);
      expect(statusesOf(await site.sendEach([post({ user: 'eve', text: 'x'.repeat(40_000) })]))).toEqual([429]);
    },
  },
  {
    program: 'llm.md#middleware',
    sentence: 'The limiter stands behind the body parser, so limit the size of bodies there.',
    tries: 'prompts that are objects, arrays, missing, or no JSON; made-up accounts in the body',
    serves: `app.use((_error, _request, response, _next) => void response.sendStatus(500));\n${APP}`,
    async holds(site) {
      const bodies = [{ prompt: { toString: 1 } }, { prompt: ['x'.repeat(4_000)] }, [], { account: 'eve' }];
      const requests = [
        ...bodies.map((body) => post(body, '/complete')),
        { method: 'POST', path: '/complete', body: 'Hi', headers: { Account: 'eve' } },
      ];
      const responses = await site.sendEach(requests);
      expect(statusesOf(responses)).toEqual(times(5, 200));
      expect(responses.map(({ headers }) => headers['x-ratelimit-remaining-requests'])).toEqual([
        '59',
        '58',
        '57',
        '56',
        '55',
      ]);
      expect(Number(responses[4]!.headers['x-ratelimit-remaining-tokens'])).toBeLessThan(29_000);
    },
  },
  {
    program: 'billing.md#example',
    sentence: 'a row that comes again replaces the one before',
    tries: 'settlements after the hour was billed, and two exports of the same hours at the same time',
    until: 'const decision =',
    serves: `
const sum = () => [...bills.values()].reduce((units, each) => units + each, 0);
export const served = {
  async consume({ cost, units, billed }: { cost: number; units?: number; billed?: number }) {
    if (billed !== undefined) {
      time += 2 * 3_600_000;
      await Promise.all([billing.run(), billing.run()]);
      await billing.run();
      return { allowed: sum() === billed };
    }
    const decision = await limiter.consume({ customer: 'ada' }, { cost });
    time += 2 * 3_600_000;
    await billing.run();
    if (units !== undefined) await limiter.settle(decision, units);
    return { allowed: true };
  },
};`,
    async holds(site) {
      await expectAdmitted(site, 1, [post({ cost: 15, units: 9 })]);
      await expectAdmitted(site, 1, [post({ billed: 9 })]);
      await expectAdmitted(site, 4, times(4, post({ cost: 5, units: 2 })));
      await expectAdmitted(site, 3, times(3, post({ billed: 17 })));
    },
  },
  {
    program: 'quotas-and-billing.md#example',
    sentence: 'Call it again with the same `id`: it counts once',
    tries: 'ten webhooks of one invoice at the same time, then eight requests, then the same webhooks again',
    until: 'const acme =',
    serves: `
export const served = {
  async consume({ customer, invoice }: { customer: string; invoice?: string }) {
    if (invoice === undefined) return limiter.consume({ customer });
    await creditsOf(limiter).credit({ customer }, 2, { id: invoice });
    return { allowed: true };
  },
};`,
    async holds(site) {
      const paid = times(10, post({ customer: 'acme', invoice: 'invoice 1' }));
      const requested = times(8, post({ customer: 'acme' }));
      await expectAdmitted(site, 10, paid);
      await expectAdmitted(site, 4, requested);
      await expectAdmitted(site, 10, paid);
      await expectAdmitted(site, 0, requested);
    },
  },
  {
    program: 'quotas-and-billing.md#notices',
    sentence: 'the charge that reaches a mark calls `onNotice` of its limiter',
    tries: 'twenty requests of a tenth of the month at the same time, and again',
    serves: `
const mails: string[] = [];
Object.assign(globalThis, { enqueueMail: (_: unknown, text: string) => mails.push(text) });
export const served = {
  consume: ({ mails: expected }: { mails?: number }) =>
    expected === undefined ? limiter.consume({ customer: 'acme' }, { cost: 10_000 }) : { allowed: mails.length === expected },
};`,
    async holds(site) {
      await expectAdmitted(site, 10, times(20, post({})));
      await expectAdmitted(site, 0, times(20, post({})));
      await expectAdmitted(site, 1, [post({ mails: 3 })]);
    },
  },
  {
    program: 'recipes.md#a-calendar-month',
    sentence: 'A `period` is a day, week, month or year of a time zone',
    tries: 'another billing day for each of ten requests at the same time, which would begin a month',
    serves: `
export const served = {
  consume: ({ billingDay }: { billingDay: number }) => limiter.consume({ customer: 'acme', billingDay }, { cost: 4_000 }),
};`,
    async holds(site) {
      const days = Array.from({ length: 10 }, (_, index) => 3 * index + 1);
      await expectAdmitted(
        site,
        2,
        days.map((billingDay) => post({ billingDay })),
      );
    },
  },
  {
    program: 'recipes.md#uploads',
    sentence: 'Count the bytes that arrive, and hold a permit meanwhile.',
    tries: 'a body without an end, aborted chunked bodies, one below its `Content-Length`, three uploads at once',
    replaces: ['50_000_000', '2_000_000'],
    serves: `
import express from 'express';
import { creditsOf } from '@sluice/quotas';
let read = 0;
const counted = (request, _response, next) => {
  const { iterator } = request;
  request.iterator = async function* (options) {
    for await (const chunk of iterator.call(request, options)) {
      read += chunk.length;
      yield chunk;
    }
  };
  next();
};
export const served = express();
served.get('/read', async (_request, response) => {
  const [bytes] = await limits.limiter.of({ kind: 'ip', parts: ['127.0.0.1'] }).inspect({ tiers: ['bytes'] });
  response.json({ read, left: bytes.outcome.remaining });
});
served.use(limits, counted, upload);`,
    async holds(site) {
      const seen = async () => JSON.parse((await site.send({ path: '/read' })).text) as { read: number; left: number };

      // Says little, sends 300 kB, and leaves.
      await uploadTo(site, { bytes: 300 * KB, leaves: true });
      await until(async () => (await seen()).left <= 2_000_000 - 300 * KB);
      await uploadTo(site, { bytes: 10 * KB, length: 1_000 * KB, leaves: true });
      expect(await uploadTo(site, { bytes: 10 * KB, length: 10 * KB })).toBe(200);
      const statuses = await Promise.all([1, 2, 3].map(() => uploadTo(site, { bytes: Infinity })));
      await until(async () => (await seen()).left === 0);

      for (const status of statuses) expect([0, 413, 429]).toContain(status);
      // Two uploads, a chunk each beyond the budget.
      expect((await seen()).read).toBeLessThanOrEqual(2_000_000 + 2 * 64 * KB);
      expect(await uploadTo(site, { bytes: KB })).toBe(429);
    },
  },
  {
    program: 'recipes.md#near-the-limit',
    sentence: 'A middleware behind the limiter warns before the client is denied',
    tries: 'forged addresses, `If-None-Match: *`',
    serves: APP,
    holds: (site) => expectOneBudget(site, 100, forged()),
  },
];

interface UploadOptions {
  /** Sent in chunks, without a length. */
  readonly bytes: number;
  readonly length?: number;
  /** After its bytes, without an end. */
  readonly leaves?: boolean;
}

/** Sends a body, and resolves with the status; 0 for an upload that has left, or whose connection was closed. */
async function uploadTo(site: Site, { bytes, length, leaves = false }: UploadOptions): Promise<number> {
  const headers = length === undefined ? { 'Transfer-Encoding': 'chunked' } : { 'Content-Length': String(length) };
  const outgoing = site.open({ method: 'POST', path: '/', headers });
  const end = new AbortController();
  const answered = (once(outgoing, 'response') as Promise<[IncomingMessage]>).then(
    ([response]) => {
      end.abort();
      return response.resume().statusCode!;
    },
    () => 0,
  );
  async function* chunks() {
    for (let left = bytes; left > 0 && !end.signal.aborted; left -= CHUNK) {
      yield Buffer.alloc(Math.min(CHUNK, left));
      await setImmediate();
    }
  }
  // The server closes a connection with its answer, which the client may not have read yet.
  await pipeline(Readable.from(chunks()), outgoing, { end: Number.isFinite(bytes) && !leaves }).catch(() => undefined);
  if (!leaves) await answered;
  outgoing.destroy();
  return answered;
}
