import { subscribe, createLimiter, memoryStore, UsageError, type Store } from '@sluice/core';
import { overridesOf } from '@sluice/policies/overrides';
import { createDashboard, type Dashboard, type DashboardOptions, type Look } from '@sluice/dashboard';
import type { Site, TestRequest } from '../support/site.js';
import { until } from '../support/until.js';
import { warningCatcher } from '../support/warnings.js';
import { mounts, PREFIX } from './mounts.js';
import { eventsIn, openPage } from './open-page.js';

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const HEADERS = {
  'content-security-policy': POLICY,
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

describe.each(mounts)('a dashboard on %s', (_name, mount) => {
  const open = opener(mount);

  it('serves a page without a script or style in its HTML, and its files for ever', async () => {
    const { site } = await open();

    const page = await site.send({ path: `${PREFIX}/` });
    const names = [...page.text.matchAll(/(?:href|src)="(page-[^"]+)"/g)].map(([, name]) => name!);
    const files = await site.sendEach(names.map((name) => ({ path: `${PREFIX}/${name}` })));

    expect(page).toMatchObject({ status: 200, headers: { ...HEADERS, 'cache-control': 'no-store' } });
    expect(page.text).not.toMatch(/<style|<script[^>]*>[^<]| style=| on\w+=/);
    expect(files.map(({ status, headers }) => [status, headers['cache-control']])).toEqual([
      [200, 'public, max-age=31536000, immutable'],
      [200, 'public, max-age=31536000, immutable'],
    ]);
  });

  it('leads to the slash at its end by an address that fits any prefix', async () => {
    const { site } = await open();

    const response = await site.send({ path: `${PREFIX}?from=mail` });

    expect(response).toMatchObject({ status: 308, headers: { ...HEADERS, location: 'sluice/?from=mail' } });
  });

  it('answers what it does not have with 404, and a wrong method with 405', async () => {
    const { site } = await open();

    const responses = await site.sendEach([
      { path: `${PREFIX}/nothing` },
      { path: `${PREFIX}/api` },
      { path: `${PREFIX}/api/look` },
      { path: `${PREFIX}/api/state`, method: 'POST' },
      { path: `${PREFIX}/api/events`, method: 'HEAD' },
      { path: `${PREFIX}/%` },
    ]);

    expect(responses.map(({ status }) => status)).toEqual([404, 404, 405, 405, 405, expect.any(Number)]);
    expect(responses[5]!.status).toBeGreaterThanOrEqual(400);
  });

  it('checks authorize on every route', async () => {
    const { site } = await open({ authorize: async ({ headers }) => headers.authorization === 'yes' && 'ada' });
    const paths = ['', '/', '/api/state', '/api/events', '/nothing'];

    const refused = await site.sendEach(paths.map((path) => ({ path: PREFIX + path })));
    const admitted = await site.send({ path: `${PREFIX}/api/state`, headers: { authorization: 'yes' } });

    expect(refused.map(({ status }) => status)).toEqual(paths.map(() => 404));
    expect(admitted.status).toBe(200);
  });

  it('streams ticks that compression leaves alone', async () => {
    const { url } = await open();

    const page = await openPage(url, { 'accept-encoding': 'gzip' });
    await until(() => page.tick !== undefined);
    page.close();

    expect(page.headers).toMatchObject({
      ...HEADERS,
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    });
    expect(page.headers['content-encoding']).toBeUndefined();
    expect(page.text).toMatch(/^retry: 2000\n\n/);
  });

  it('ends its streams on close, so that the server can end', async () => {
    const { url, dashboard } = await open();
    const page = await openPage(url);

    dashboard.close();

    await until(() => page.hasEnded);
    const again = await openPage(url);
    expect(again.status).toBe(503);
  });

  it('finds an identity, and releases it by the name that authorize returned', async () => {
    const store = memoryStore();
    const limiter = limiterOn(store);
    const { site } = await open({ store, readOnly: false, authorize: () => 'ada' });
    const reported: unknown[] = [];
    const end = subscribe('sluice:audit', (event) => reported.push(event));
    await limiter.consume('grace');
    const before = await limiter.consume('grace');

    const look = await site.send(post('look', { kind: 'key', values: ['grace'] }));
    const forgotten = await site.send(post('forget', { kind: 'key', values: ['grace'] }));
    const after = await limiter.consume('grace');
    end();

    expect((JSON.parse(look.text) as Look).tiers).toMatchObject([{ tier: 'minute', allowed: false, remaining: 0 }]);
    expect(JSON.parse(forgotten.text)).toEqual({ tiers: ['minute'], deniedFor: 60_000, isNew: true });
    expect([before.allowed, after.allowed]).toEqual([false, true]);
    expect(reported).toEqual([
      {
        id: expect.stringMatching(/^[\w-]{16}$/),
        at: expect.any(Number),
        operation: 'forget',
        by: 'ada',
        tiers: [{ tier: 'minute', digest: expect.stringMatching(/^[\w-]{22}$/) }],
      },
    ]);
    expect(JSON.stringify(reported)).not.toContain('grace');
  });

  it('gives one identity another limit until an end, and takes it back, by the name that authorize returned', async () => {
    const store = memoryStore();
    const limiter = limiterOn(store);
    const overrides = overridesOf(limiter);
    const { site } = await open({ store, readOnly: false, authorize: () => 'ada', overrides });
    const reported: unknown[] = [];
    const stop = subscribe('sluice:audit', ({ operation, by }) => reported.push([operation, by]));
    const isAdmitted = async () => (await limiter.consume('grace')).allowed;
    const change = (override: object | null) =>
      site.send(post('override', { kind: 'key', values: ['grace'], tier: 'minute', override }));
    await isAdmitted();
    const before = await isAdmitted();

    const askedAt = Date.now();
    const raised = await change({ limit: 3, lasts: 60_000, reason: 'ticket 4711' });
    const answeredAt = Date.now();
    const during = await isAdmitted();
    const { until: end } = overrides.list()[0]!;
    await change(null);
    const after = await isAdmitted();
    stop();

    expect([before, during, after]).toEqual([false, true, false]);
    expect(end! - 60_000).toBeGreaterThanOrEqual(askedAt);
    expect(end! - 60_000).toBeLessThanOrEqual(answeredAt);
    expect((JSON.parse(raised.text) as Look).tiers).toMatchObject([{ tier: 'minute', isOverridden: true, limit: 3 }]);
    expect(reported).toEqual([
      ['override', 'ada'],
      ['end-override', 'ada'],
    ]);
  });

  it.each<[what: string, request: TestRequest, status: number]>([
    ['another site', { headers: { 'sec-fetch-site': 'cross-site' } }, 403],
    ['another subdomain', { headers: { 'sec-fetch-site': 'same-site' } }, 403],
    ['another origin', { headers: { origin: 'http://evil.example' } }, 403],
    ['a form', { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: 'kind=key' }, 415],
    ['a form that says it is text', { headers: { 'content-type': 'text/plain' } }, 415],
    ['more than 8 KiB', { body: JSON.stringify({ kind: 'key', values: ['x'.repeat(9_000)] }) }, 413],
    ['no JSON', { body: '{' }, 400],
    ['a text', { body: '"key"' }, 400],
  ])('refuses to forget for %s', async (_what, request, status) => {
    const { site } = await open({ readOnly: false, authorize: true });
    const { headers, ...sent } = post('forget', { kind: 'key', values: ['grace'] });

    const response = await site.send({ ...sent, ...request, headers: { ...headers, ...request.headers } });

    expect(response.status).toBe(status);
    expect(JSON.parse(response.text)).toEqual({ error: expect.any(String) });
  });
});

describe('a dashboard', () => {
  const warnings = warningCatcher();
  const open = opener(mounts[0]![1]);

  it.each<[string, unknown, string]>([
    ['an error', new Error('no database'), 'Error: no database'],
    ['an error of Sluice', new UsageError('USAGE_INVALID', 'no such tier'), 'UsageError: no such tier'],
    ['a text', 'no database', '"no database"'],
    ['an object without a text', Object.create(null), 'an object'],
    ['nothing', undefined, 'undefined'],
  ])(
    'refuses the request, and gives the reason to the log alone, when authorize fails with %s',
    async (_what, error, reason) => {
      // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- an application may reject with anything
      const { site } = await open({ authorize: () => Promise.reject(error) });

      const { status, text } = await site.send({ path: `${PREFIX}/api/state` });

      expect(status).toBe(404);
      expect(text).not.toMatch(/database|tier/);
      expect(warnings()).toContainEqual(['SLUICE_DASHBOARD_FAILED', expect.stringContaining(`failed: ${reason}`)]);
    },
  );

  it.each<[string, object, string]>([
    ['a limit below 0', { limit: -1, reason: 'x' }, 'override.limit must be an integer from 0 to'],
    ['no reason', { limit: 1 }, 'override.reason is missing'],
    ['an end that is no number', { limit: 1, lasts: 'x', reason: 'x' }, 'override.lasts must be a number from 1 to'],
  ])('says what is wrong with %s of an override', async (_what, override, error) => {
    const store = memoryStore();
    const overrides = overridesOf(limiterOn(store));
    const { site } = await open({ store, readOnly: false, authorize: true, overrides });

    const { status, text } = await site.send(
      post('override', { kind: 'key', values: ['grace'], tier: 'minute', override }),
    );

    expect([status, JSON.parse(text)]).toEqual([400, { error: expect.stringContaining(error) }]);
    expect([text.includes('grace'), overrides.list()]).toEqual([false, []]);
  });

  it('changes no limits without the option, which needs readOnly: false', async () => {
    const store = memoryStore();
    const overrides = overridesOf(limiterOn(store));
    const { site } = await open({ store, readOnly: false, authorize: true });
    const override = { limit: 3, reason: 'ticket 4711' };

    const response = await site.send(post('override', { kind: 'key', values: ['grace'], tier: 'minute', override }));

    expect(response).toMatchObject({ status: 403, text: expect.stringContaining('pass overrides') });
    expect(() => createDashboard({ store, authorize: true, overrides })).toThrow('overrides needs readOnly: false');
  });

  it('finds and releases an entry of its list', async () => {
    const store = memoryStore();
    const limiter = limiterOn(store);
    const { site } = await open({ store, readOnly: false });
    await limiter.consume('grace');
    await limiter.consume('grace');

    const state = JSON.parse((await site.send({ path: `${PREFIX}/api/state` })).text) as {
      top: { denied: { tier: string; digest: string }[] };
    };
    const [{ tier, digest }] = state.top.denied as [{ tier: string; digest: string }];
    const forgotten = await site.send(post('forget', { tier, digest }));

    expect(digest).toHaveLength(8);
    expect(forgotten.status).toBe(200);
    expect((await limiter.consume('grace')).allowed).toBe(true);
  });

  it('forgets nothing when it is read-only', async () => {
    const store = memoryStore();
    const limiter = limiterOn(store);
    const { site } = await open({ store });
    await limiter.consume('grace');

    const response = await site.send(post('forget', { kind: 'key', values: ['grace'] }));

    expect(response).toMatchObject({ status: 403, text: expect.stringContaining('readOnly: false') });
    expect((await limiter.consume('grace')).allowed).toBe(false);
  });

  it('counts exactly what clients were answered', async () => {
    const store = memoryStore();
    const limiter = limiterOn(store, 30);
    const { site, url } = await open({ store });
    const page = await openPage(url);
    const answers: boolean[] = [];

    for (let index = 0; index < 100; index += 1) answers.push((await limiter.consume(`user-${index % 2}`)).allowed);
    await until(() => page.tick?.decisions.denied === 40);
    page.close();

    const state = JSON.parse((await site.send({ path: `${PREFIX}/api/state` })).text) as typeof page.tick;
    const denied = answers.filter((allowed) => !allowed).length;
    expect(state!.decisions).toEqual({ ok: 100 - denied, denied, never: 0, unavailable: 0, shed: 0 });
    expect(state!.tiers[0]!.outcomes).toMatchObject({ over: denied });
    expect(page.tick!.top.denied.map(({ count, error }) => [count, error])).toEqual([
      [20, 0],
      [20, 0],
    ]);
    expect(eventsIn(page.text, 'tail')).not.toEqual([]);
  });
});

/** Opens a dashboard on a site, and closes both after the test. */
function opener(mount: (typeof mounts)[number][1]) {
  const opened: { site: Site; dashboard: Dashboard }[] = [];

  afterEach(async () => {
    for (const { site, dashboard } of opened.splice(0)) {
      dashboard.close();
      await site.close();
    }
  });

  return async (options: Partial<DashboardOptions> = {}) => {
    const store = memoryStore();
    const dashboard = createDashboard({ store, authorize: true, ...options });
    const site = await mount(dashboard);
    opened.push({ site, dashboard });
    return { site, dashboard, store: options.store ?? store, url: `http://127.0.0.1:${site.port}${PREFIX}/` };
  };
}

function limiterOn(store: Store, limit = 1) {
  return createLimiter<string>({ store, name: 'minute', key: (user) => user, limit, window: '1m' });
}

function post(route: string, body: object): TestRequest {
  const headers = { 'content-type': 'application/json' };
  return { method: 'POST', path: `${PREFIX}/api/${route}`, headers, body: JSON.stringify(body) };
}
