import { createHmac } from 'node:crypto';
import { remainingOf, statusesOf } from '../../../support/responses.js';
import type { Attack } from '../attack.js';
import { expectAdmitted, expectOneBudget, post, times } from '../requests.js';

const LIMITER = 'export const served = limiter;';

/** Programs of a limiter without HTTP: the body of a request is the subject. */
export const limiterAttacks: readonly Attack[] = [
  {
    program: 'core.md#example',
    sentence: 'The denied request costs the tenant nothing.',
    tries: 'ten requests of a user at the same time; the same user in another tenant',
    until: 'await limiter',
    serves: LIMITER,
    async holds(site) {
      await expectAdmitted(site, 1, times(10, post({ user: 'ada', tenant: 'analytical' })));
      await expectAdmitted(site, 0, [post({ user: 'ada', tenant: 'another' })]);
      const [other] = await site.sendEach([post({ user: 'bob', tenant: 'another' })]);
      expect(other!.status).toBe(200);
    },
  },
  {
    program: 'bundlers.md#bundlers',
    sentence: 'The bundler sees this import, so the bundle contains ioredis.',
    tries: 'ten requests of a user at the same time',
    until: 'await store.ready',
    replaces: ['limit: 100', 'limit: 5'],
    serves: 'export const served = { consume: ({ user }: { user: string }) => limiter.consume(user) };',
    holds: (site) => expectAdmitted(site, 5, times(10, post({ user: 'ada' }))),
  },
  {
    program: 'plans-and-costs.md#limits-from-a-database',
    sentence: 'so choose a limit there that you can bear',
    tries: 'requests of made-up accounts, whose queries fail, for more than the limit of `otherwise`',
    until: 'const requests',
    replaces: [
      "return account === 'account-7' ? 1_000 : 10;",
      "if (account === 'account-7') return 20; throw new Error('no such account');",
    ],
    serves: LIMITER,
    async holds(site) {
      await expectAdmitted(site, 20, times(30, post({ account: 'account-7' })));
      await expectAdmitted(site, 10, times(20, post({ account: 'made-up' })));
    },
  },
  {
    program: 'concurrency.md#example',
    sentence: 'A `concurrency` tier says how many may run',
    tries: 'ten requests of a user at the same time',
    until: 'const jobs',
    serves: LIMITER,
    holds: (site) => expectAdmitted(site, 2, times(10, post({ user: 'ada' }))),
  },
  {
    program: 'memory.md#memory',
    sentence: 'So a flood of new keys neither grows the store nor frees a denied client',
    tries: 'to get out of a denial by more new addresses than the store has keys, and by other spellings',
    until: 'for (let host',
    replaces: ['1_000', '100'],
    serves: LIMITER,
    async holds(site) {
      await expectAdmitted(site, 5, times(8, post({ ip: '203.0.113.7' })));
      await site.sendEach(Array.from({ length: 150 }, (_, host) => post({ ip: `10.0.0.${host}` })));
      await expectAdmitted(
        site,
        0,
        ['203.0.113.7', '::ffff:203.0.113.7'].map((ip) => post({ ip })),
      );
    },
  },
  {
    program: 'algorithms.md#example',
    sentence: '**Charge nothing for a denied request**',
    tries: 'costs that are denied, and thirty requests at the same time',
    until: '// After 75 s',
    serves: `
const store = memoryStore({ clock: fakeClock() });
const policy = { algorithm: 'token-bucket', limit: 60, window: '1m', burst: 20 };
export const served = createLimiter({ store, tiers: [{ name: 'example', key: () => 'ada', cost: ({ cost }) => cost, ...policy }] });`,
    async holds(site) {
      await expectAdmitted(site, 0, [post({ cost: 21 }), post({ cost: 1_000 })]);
      await expectAdmitted(site, 20, times(30, post({ cost: 1 })));
    },
  },
  {
    program: 'hot-keys.md#example',
    sentence: 'The cache never admits a request.',
    tries: 'twenty requests at the same time, and then twenty more',
    replaces: ['limit: 100_000', 'limit: 5'],
    serves: 'export const served = tenants;',
    async holds(site) {
      await expectAdmitted(site, 5, times(20, post({ tenant: 'acme' })));
      await expectAdmitted(site, 0, times(20, post({ tenant: 'acme' })));
    },
  },
  {
    program: 'outages.md#example',
    sentence: 'No hit is counted twice, and an outage never looks like a denial.',
    tries: 'to be admitted by a Redis that never answers: ten requests at the same time',
    until: 'for (let request',
    serves:
      'export const served = { consume: (subject: { login?: true }) => (subject.login ? login : api).consume({}) };',
    async holds(site) {
      await expectAdmitted(site, 2, times(10, post({})));
      await expectAdmitted(site, 0, times(5, post({ login: true })));
    },
  },
  {
    program: 'many-workers.md#workers-that-call-an-upstream',
    sentence: '`run` waits for its place by itself, and asks again when it comes',
    tries: 'more calls at the same time than the upstream allows in a minute',
    until: 'const { value } =',
    replaces: ['process.env.SLUICE_SECRET!', "'a secret of this attack'"],
    serves: `
let [running, most] = [0, 0];
export const served = async (_request, response) => {
  const { admitted } = await run(limiter, undefined, async () => (most = Math.max(most, (running += 1))), { wait: '30s' });
  response.end(admitted ? String(running) : 'too many');
};`,
    async holds(site) {
      const answers = await Promise.all(times(102, {}).map((each) => site.send(each)));
      // A hundred fit together, and the others at their places: two, at a hundred a minute.
      expect(answers.filter(({ text }) => text === 'too many')).toEqual([]);
    },
  },
  {
    program: 'outbound.md#example',
    sentence: '`run` keeps your own calls within the limits of an API that you use',
    tries: 'thirty calls at the same time, and clients that leave before their call has begun',
    until: 'for (const number',
    serves: `
let running = 0;
let most = 0;
const work = async () => {
  running += 1;
  most = Math.max(most, running);
  return call().finally(() => (running -= 1));
};
calls = 2;
export const served = async (_request, response) => {
  await run(limiter, { api: 'maps' }, work, { wait: '30s' });
  response.end(String(most));
};`,
    async holds(site) {
      for (let leaver = 0; leaver < 5; leaver += 1)
        site
          .start()
          .on('error', () => undefined)
          .destroy();
      const responses = await Promise.all(times(30, {}).map((each) => site.send(each)));
      expect(Math.max(...responses.map(({ text }) => Number(text)))).toBeLessThanOrEqual(5);
    },
  },
  {
    program: 'recipes.md#switch-limits-off-in-tests',
    sentence: 'Between tests: `limiter.reset(subject)`, or a store for each test.',
    tries: 'ten requests at the same time: no time passes',
    until: "await limiter.consume('ada');",
    serves: LIMITER,
    holds: (site) => expectAdmitted(site, 1, times(10, post('ada'))),
  },
  {
    program: 'recipes.md#a-limit-for-each-user-behind-a-jwt',
    sentence:
      'The first limit counts addresses, so that nobody can make the server verify an endless number of invented tokens.',
    tries:
      'tokens of other secrets, of no algorithm and without a user; then its own user, in each spelling of the header',
    serves: 'export const served = app;',
    async holds(site) {
      const invented = [
        tokenOf('ada', 'another secret'),
        `${tokenOf('ada').split('.')[0]}.${tokenOf('ada').split('.')[1]}.`,
        tokenOf(''),
        '',
      ];
      const refused = await site.sendEach(
        invented.map((token) => ({ path: '/me', headers: { authorization: `Bearer ${token}` } })),
      );
      const own = await site.sendEach(
        ['Bearer', 'bearer', 'Token'].map((scheme) => ({
          path: '/me',
          headers: { authorization: `${scheme} ${tokenOf('ada')}` },
        })),
      );

      expect(statusesOf(refused)).toEqual([401, 401, 401, 401]);
      expect(remainingOf(refused)).toEqual([299, 298, 297, 296]);
      expect(statusesOf(own)).toEqual([200, 200, 429]);
    },
  },
  {
    program: 'recipes.md#reset-a-user',
    sentence: '`limiter.of(identity).reset()` does the same:',
    tries: 'to be reset with another user, or with a name in other spellings',
    serves: `
export const served = {
  consume: async ({ id, reset }: { id: string; reset?: string }) => {
    if (reset !== undefined) await resetUser(reset);
    return limiter.consume({ ip: '203.0.113.7', user: { id } });
  },
};`,
    async holds(site) {
      await expectOneBudget(site, 100, times(3, post({ id: 'ada' })));
      await expectOneBudget(
        site,
        97,
        ['eve', 'Ada', 'ada '].map((reset) => post({ id: 'ada', reset })),
      );
      await expectOneBudget(site, 100, [post({ id: 'ada', reset: 'ada' })]);
    },
  },
  {
    program: 'recipes.md#limits-per-tenant',
    sentence: 'A tenant has a budget, and each of its users a part of it',
    tries: 'made-up tenants and users in headers; one user that uses up its tenant',
    serves: `
import express from 'express';
export const served = express();
served.use((request, _response, next) => {
  const [tenant, user] = request.get('session')?.split('/') ?? [];
  Object.assign(request, tenant && { tenant: { id: tenant, perMinute: 100 }, user: { id: user } });
  next();
});
served.use(perTenant);`,
    async holds(site) {
      const ofAda = { headers: { Session: 'acme/ada' } };
      await expectOneBudget(site, 60, times(5, ofAda));
      const claims = ['x', 'y', 'z'].map((name) => ({ headers: { Tenant: name, 'X-Tenant': name, 'X-User': name } }));
      await expectOneBudget(site, 10, claims);
    },
  },
  {
    program: 'recipes.md#cron-jobs',
    sentence: 'Five processes start a job, and one of them is to run it',
    tries: 'ten starts at the same time, and ten more',
    serves: `
export const served = async (_request, response) => {
  let runs = 0;
  await hourly('report', async () => void (runs += 1));
  response.writeHead(runs === 1 ? 200 : 429).end();
};`,
    async holds(site) {
      await expectAdmitted(site, 1, times(10, {}));
      await expectAdmitted(site, 0, times(10, {}));
    },
  },
  {
    program: 'redis-clients.md#ioredis',
    sentence: 'the store does not connect or close it, and only adds listeners',
    tries: 'ten spellings of one address at the same time',
    replaces: ['limit: 100', 'limit: 4'],
    serves: `await client.connect();\nexport const served = limiter;`,
    holds: (site) =>
      expectAdmitted(
        site,
        4,
        [...times(5, '203.0.113.9'), ...times(5, '::ffff:203.0.113.9')].map((ip) => post({ ip })),
      ),
  },
  {
    program: 'redis-clients.md#node-redis',
    sentence: 'All stores of a process share one `sender`.',
    tries: 'ten requests at the same time, which share a batch',
    serves: LIMITER,
    holds: (site) => expectAdmitted(site, 1, times(10, post('eve'))),
  },
  {
    program: 'redis-clients.md#valkey-glide',
    sentence: 'Set `requestTimeout` to the',
    tries: 'ten requests at the same time, which share a batch',
    serves: LIMITER,
    holds: (site) => expectAdmitted(site, 1, times(10, post('eve'))),
  },
  {
    program: 'redis.md#cluster',
    sentence: '`partition` puts several identities into one slot, where one call decides them together',
    tries: 'twenty requests of a user beside those of another one of its tenant',
    replaces: ["store: redisStore({ cluster: ['redis://10.0.0.1:6379'] })", 'store: memoryStore()'],
    serves: `import { memoryStore } from '@sluice/core';\nexport const served = limiter;`,
    async holds(site) {
      await expectOneBudget(site, 600, times(20, post({ tenant: 'acme', user: 'eve' })));
      await expectOneBudget(site, 600, times(2, post({ tenant: 'acme', user: 'ada' })));
    },
  },
];

/** A token of HS256, as the program of the page verifies it. */
function tokenOf(user: string, secret = 'at least thirty-two characters long'): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const content = `${part({ alg: 'HS256' })}.${part(user === '' ? {} : { sub: user })}`;
  return `${content}.${createHmac('sha256', secret).update(content).digest('base64url')}`;
}
