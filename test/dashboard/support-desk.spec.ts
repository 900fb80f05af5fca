import { createServer } from 'node:http';
import { hash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { createDashboard, type Acts, type Balance, type Look } from '@sluice/dashboard';
import { openPolicies, operatorPolicies, redisPolicies } from '@sluice/policies';
import { quotas } from '@sluice/quotas';
import { redisStore } from '@sluice/redis';
import { mistakeIn, type Schema } from '../../packages/dashboard/src/api/schema.js';
import { openApi } from '../../packages/dashboard/src/api/open-api.js';
import { withLimitsFile } from '../policies/with-limits-file.js';
import { patient } from '../support/patient.js';
import { closeServer, listen } from '../support/site.js';

interface Subject {
  readonly tenant: string;
}

const LIMITS = `version: 1
limiters:
  api:
    tiers:
      - { name: hour, key: tenant, limit: 3, window: 1h }
      - { name: credits, key: tenant, algorithm: balance, covers: [hour] }
`;
const TOKENS = {
  auditor: 'auditor-token-0000000000',
  desk: 'desk-token-0000000000000',
  boss: 'boss-token-0000000000000',
};
const HOUR_MS = 3_600_000;

type Name = keyof typeof TOKENS;

interface Answer<T = { readonly error?: string }> {
  readonly status: number;
  readonly text: string;
  readonly body: T;
  readonly headers: Headers;
}

describe('the HTTP API of a process that has no limiter of its own', () => {
  const redis = withLimitsFile();
  const opened: (() => unknown)[] = [];
  let url: string;
  let use: () => Promise<boolean>;
  let balance: () => Promise<number>;

  beforeEach(async () => {
    writeFileSync(redis.file, LIMITS);
    const [store, deskStore] = [1, 2].map(() => redisStore({ url: redis.server.url }, patient));
    const keys = { tenant: ({ tenant }: Subject) => tenant };
    const fleet = redisPolicies(store!);
    const application = await openPolicies<Subject>(redis.file, { keys, fleet, features: [quotas] });
    const limiter = application.limiter('api', { store: store! });
    use = async () => {
      await application.refresh();
      return (await limiter.consume({ tenant: 'acme' })).allowed;
    };
    balance = async () => (await limiter.inspect({ tenant: 'acme' }))[1]!.outcome.remaining;

    const policies = await operatorPolicies(redis.file, { store: deskStore! });
    const tokens = [
      { name: 'auditor', role: 'read', token: TOKENS.auditor },
      { name: 'desk', role: 'support', sha256: hash('sha256', TOKENS.desk) },
      { name: 'boss', role: 'admin', token: TOKENS.boss },
    ] as const;
    const dashboard = createDashboard({ store: deskStore!, overrides: policies.overrides, tokens });
    const server = createServer(dashboard.handle);
    const { port } = (await listen(server)) as { port: number };
    url = `http://127.0.0.1:${port}`;
    opened.push(
      () => store!.close(),
      () => deskStore!.close(),
      () => limiter.close(),
      () => application.close(),
      () => policies.close(),
      () => closeServer(server),
      () => dashboard.close(),
    );
  });

  afterEach(async () => {
    for (const close of opened.splice(0).toReversed()) await close();
  });

  async function send<T>(path: string, init: RequestInit): Promise<Answer<T>> {
    const response = await fetch(`${url}${path}`, init);
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
    return { status: response.status, text, body: (isJson ? JSON.parse(text) : {}) as T, headers: response.headers };
  }

  const bearer = (name: Name) => ({ authorization: `Bearer ${TOKENS[name]}` });

  function post<T>(name: Name, route: string, body: object): Promise<Answer<T>> {
    const headers = { ...bearer(name), 'content-type': 'application/json' };
    return send(`/api/${route}`, { method: 'POST', headers, body: JSON.stringify(body) });
  }

  const acme = { kind: 'key', values: ['acme'] };

  it('lets a support desk find a denied client, see why, give it 5 000 more until a day, and see who did it', async () => {
    for (let request = 1; request <= 3; request += 1) await use();
    const before = await use();
    const raise = {
      ...acme,
      tier: 'hour',
      override: { more: 5_000, until: '2999-12-06', reason: 'ticket 4711' },
      id: 'ticket-4711',
    };

    const found = await post<Look>('desk', 'look', acme);
    const raised = await post<Look>('desk', 'override', raise);
    const again = await post<Look>('desk', 'override', raise);
    const after = await use();
    const refused = await post('auditor', 'override', raise);
    const history = await post<Acts>('auditor', 'history', acme);
    const listed = await send<object>('/api/overrides', { headers: bearer('auditor') });

    expect([before, after]).toEqual([false, true]);
    expect(found.body.tiers).toMatchObject([{ tier: 'hour', allowed: false, limit: 3, remaining: 0 }]);
    expect(found.body.tiers[0]!.reasons.length).toBeGreaterThan(0);
    expect([raised.status, again.status]).toEqual([200, 200]);
    expect(raised.body.tiers).toMatchObject([{ tier: 'hour', allowed: true, limit: 5_003, isOverridden: true }]);
    expect([refused.status, refused.body]).toEqual([
      403,
      { error: 'override needs the role support, and this caller has the role read' },
    ]);
    expect(history.body.acts).toMatchObject([
      {
        id: 'ticket-4711',
        operation: 'override',
        by: 'desk',
        reason: 'ticket 4711',
        detail: { limit: 5_003, until: Date.parse('2999-12-07') },
      },
    ]);
    expect(listed.body).toMatchObject({ overrides: [{ tier: 'hour', limit: 5_003, by: 'desk' }] });
    expect([found, raised, history, listed].map(({ text }) => text).join('')).not.toContain('acme');
  });

  it('credits and debits once for an id, pauses, releases and forgets, each in the name of the token', async () => {
    const credit = { ...acme, units: 500, id: 'invoice-7', reason: 'paid' };
    const lasting = { ...acme, tier: 'hour', lasts: HOUR_MS, reason: 'abuse' };

    const credited = await post<Balance>('desk', 'credit', credit);
    const again = await post<Balance>('desk', 'credit', credit);
    const other = await post<{ readonly error: string }>('desk', 'credit', { ...credit, units: 501 });
    const debited = await post<Balance>('boss', 'debit', {
      ...acme,
      units: 200,
      id: 'dispute-7',
      reason: 'charged back',
    });
    const left = await balance();
    await post('desk', 'pause', lasting);
    const paused = (await post<Look>('desk', 'look', acme)).body.tiers.find(({ tier }) => tier === 'hour');
    const released = await post<Look>('desk', 'release', { ...acme, tier: 'hour', reason: 'mistake' });
    await use();
    const forgotten = await post<object>('desk', 'forget', { ...acme, reason: 'ticket 4712' });
    const balanceStays = await post('desk', 'forget', { ...acme, tier: 'credits', reason: 'ticket 4712' });
    const ofClient = await post<Acts>('auditor', 'history', acme);
    const ofAll = await post<Acts>('auditor', 'history', {});

    expect([credited.body, again.body, debited.body, left]).toEqual([
      { balance: 500, isNew: true },
      { balance: 500, isNew: false },
      { balance: 300, isNew: true, missing: 0 },
      300,
    ]);
    expect([other.status, other.body.error]).toEqual([
      409,
      expect.stringContaining('credit: this id has added 500 units'),
    ]);
    expect([paused, released.status]).toMatchObject([{ limit: 0, allowed: false }, 200]);
    expect(forgotten.body).toEqual({ tiers: ['hour'], deniedFor: 60_000 });
    expect([balanceStays.status, await balance()]).toEqual([403, 300]);
    const acts = ofClient.body.acts.map(({ operation, by, reason }) => [operation, by, reason]);
    expect(acts).toEqual([
      ['forget', 'desk', 'ticket 4712'],
      ['release', 'desk', 'mistake'],
      ['pause', 'desk', 'abuse'],
      ['debit', 'boss', 'charged back'],
      ['credit', 'desk', 'paid'],
    ]);
    expect(ofAll.body).toEqual(ofClient.body);
  });

  it('lets a token do what its role may, and nothing above it', async () => {
    const changes = {
      override: { ...acme, tier: 'hour', override: { limit: 5, lasts: HOUR_MS, reason: 'x' } },
      pause: { ...acme, tier: 'hour', lasts: HOUR_MS, reason: 'x' },
      release: { ...acme, tier: 'hour', reason: 'x' },
      forget: acme,
      credit: { ...acme, units: 1, id: 'a', reason: 'x' },
      debit: { ...acme, units: 1, id: 'b', reason: 'x' },
    };
    const statusOf = async (name: Name) => {
      const answers = await Promise.all(Object.entries(changes).map(([route, body]) => post(name, route, body)));
      return answers.map(({ status }) => status === 403);
    };
    const endless = { ...acme, tier: 'hour', override: { limit: 5, reason: 'x' } };

    expect(await statusOf('auditor')).toEqual([true, true, true, true, true, true]);
    expect(await statusOf('desk')).toEqual([false, false, false, false, false, true]);
    expect(await statusOf('boss')).toEqual([false, false, false, false, false, false]);
    expect((await post('desk', 'override', endless)).body).toEqual({
      error: 'a limit without an end needs the role admin: send lasts or until',
    });
    expect((await post('boss', 'override', endless)).status).toBe(200);
  });

  it('refuses hostile requests clearly, and shows no secret, no stack and no identity', async () => {
    const json = { ...bearer('boss'), 'content-type': 'application/json' };
    const raw = (route: string, body: string, headers: Record<string, string> = json): [string, RequestInit] => [
      `/api/${route}`,
      { method: 'POST', headers, body },
    ];
    const of = (route: string, body: object) => raw(route, JSON.stringify({ ...acme, ...body }));
    const credit = { units: 1, id: 'a', reason: 'x' };
    const limit = { limit: 5, reason: 'x' };
    const over = (override: object) => of('override', { tier: 'hour', override });
    await post('boss', 'credit', { ...acme, ...credit });
    const requests: [status: number, words: RegExp, [string, RequestInit]][] = [
      [404, /^$/, ['/api/state', {}]],
      [404, /^$/, raw('look', '{}', { authorization: 'Bearer wrong-token-0000000000000' })],
      [404, /^$/, ['/api/state', { headers: { authorization: `Basic ${TOKENS.boss}` } }]],
      [
        403,
        /needs the role admin/,
        raw('debit', JSON.stringify({ ...acme, ...credit }), { ...json, ...bearer('desk') }),
      ],
      [403, /only the page of this dashboard/, raw('forget', '{}', { ...json, origin: 'https://evil.example' })],
      [403, /only the page of this dashboard/, raw('forget', '{}', { ...json, 'sec-fetch-site': 'cross-site' })],
      [413, /at most 8192 bytes/, raw('look', JSON.stringify({ kind: 'key', values: ['x'.repeat(9_000)] }))],
      [400, /send a JSON object/, raw('look', '{"kind":')],
      [400, /send a JSON object/, raw('credit', '{"kind":"key","values":["acme"],"units":NaN,"id":"n","reason":"x"}')],
      [400, /the body must be an object/, raw('look', '[1]')],
      [
        400,
        /a field that is not known here/,
        raw('look', '{"kind":"key","values":["acme"],"__proto__":{"role":"admin"}}'),
      ],
      [400, /a field that is not known here/, of('look', { constructor: { prototype: { role: 'admin' } } })],
      [400, /units must be an integer from 1/, of('credit', { ...credit, units: -5 })],
      [400, /units must be an integer from 1/, of('debit', { ...credit, units: 1e300 })],
      [400, /override.limit must be an integer/, over({ ...limit, limit: 1.5 })],
      [400, /until must be in the future/, over({ ...limit, until: '2020-01-31' })],
      [400, /send either lasts or until/, over({ ...limit, lasts: 5, until: '2999-01-31' })],
      [400, /reason must be/, over({ ...limit, reason: 'a\nb' })],
      [400, /id must be a string of 1 to 64 characters/, of('credit', { ...credit, id: '../../etc/passwd' })],
      [409, /this id has added 1 units before/, of('credit', { ...credit, units: 2 })],
      [404, /no tier of this name/, of('override', { tier: '__proto__', override: limit })],
      [404, /not found/, raw('..%2f..%2fpackage.json', '{}')],
      [404, /not found/, ['/api/constructor', { headers: json }]],
      [405, /send POST/, ['/api/forget', { method: 'DELETE', headers: json }]],
      [415, /send application\/json/, raw('forget', 'kind=key', { ...json, 'content-type': 'text/plain' })],
    ];

    const answers: Answer[] = [];
    for (const [, , [path, init]] of requests) answers.push(await send(path, init));

    expect(answers.map(({ status }) => status)).toEqual(requests.map(([status]) => status));
    for (const [index, [, words]] of requests.entries()) expect(answers[index]!.body.error ?? '').toMatch(words);
    const texts = answers.map(({ text }) => text).join('\n');
    expect(texts).not.toMatch(/token-0|\bat .*:\d+:\d+|node_modules|acme|evil\.example/);
    expect(answers.flatMap(({ headers }) => [...headers.keys()])).not.toContain('access-control-allow-origin');
  });

  it('serves an OpenAPI document whose answers are those that it gives', async () => {
    const served = await send<object>('/api/openapi.json', { headers: bearer('auditor') });
    const document = openApi() as {
      readonly paths: Record<string, Record<string, { responses: Record<string, object> }>>;
      readonly components: { readonly schemas: Record<string, Schema> };
    };
    const { Look: look, Acts: acts, Balance: credited, Failure: failure } = document.components.schemas;
    await use();

    expect(served.body).toEqual(document);
    const answers = [
      [look, await post('desk', 'look', acme)],
      [credited, await post('desk', 'credit', { ...acme, units: 5, id: 'c', reason: 'x' })],
      [acts, await post('desk', 'history', {})],
      [failure, await post('desk', 'look', {})],
    ] as const;
    for (const [schema, { body }] of answers) expect(mistakeIn(schema!, body)).toBeUndefined();
  });
});
