import { createServer } from 'node:http';
import { createLimiter, memoryStore } from '@sluice/core';
import { createDashboard, type Acts, type Balance, type Forgotten, type Look } from '@sluice/dashboard';
import { overridesOf } from '@sluice/policies/overrides';
import { closeServer, listen } from '../support/site.js';
import { acme, bearer, dayAfter, DeskScene, HOUR_MS, TOKENS } from './desk-scene.js';

const hour = { ...acme, tier: 'hour' };
const reason = 'ticket 4711';
const OTHER = { error: expect.stringMatching(/^\w+: (id names another change of this client|this id has )/) as string };

/** For each act a request, and others that differ from it in one thing. */
const ACTS: readonly [route: string, body: object, others: readonly object[]][] = [
  [
    'override',
    { ...hour, override: { more: 5_000, until: dayAfter(4), reason } },
    [
      { override: { more: 5_001, until: dayAfter(4), reason } },
      { override: { limit: 6_000, until: dayAfter(4), reason } },
      { override: { more: 5_000, until: dayAfter(5), reason } },
      { override: { more: 5_000, lasts: HOUR_MS, reason } },
      { override: { more: 5_000, until: dayAfter(4), reason: 'ticket 4712' } },
      { override: null },
    ],
  ],
  [
    'override',
    { ...hour, override: { limit: 9, lasts: HOUR_MS, reason } },
    [{ override: { limit: 9, lasts: 2 * HOUR_MS, reason } }],
  ],
  ['pause', { ...hour, lasts: HOUR_MS, reason }, [{ lasts: 2 * HOUR_MS }, { reason: 'ticket 4712' }]],
  ['forget', { ...hour, reason }, [{ tier: undefined }, { reason: 'ticket 4712' }]],
  [
    'credit',
    { ...acme, units: 5, expiresAt: dayAfter(30), reason },
    [{ units: 6 }, { expiresAt: dayAfter(31) }, { expiresAt: undefined }, { reason: 'ticket 4712' }],
  ],
  ['debit', { ...acme, units: 5, reason }, [{ units: 6 }, { reason: 'ticket 4712' }]],
];

describe('a request with an id that is known', () => {
  const scene = new DeskScene();

  it.each(ACTS)(
    'gets the earlier answer if it is the same, and 409 if it is another one: %s',
    async (route, body, others) => {
      await scene.use();
      const id = 'call-1';

      const first = await scene.post<object>('boss', route, { ...body, id });
      const again = await scene.post<object>('boss', route, { ...body, id });
      const refused = await Promise.all(others.map((other) => scene.post('boss', route, { ...body, ...other, id })));
      const ofOther = await scene.post(route === 'debit' ? 'boss' : 'desk', route, { ...body, id });
      const { acts } = (await scene.post<Acts>('auditor', 'history', acme)).body;

      expect([first.status, again.status]).toEqual([200, 200]);
      expect(refused.map(({ status }) => status)).toEqual(others.map(() => 409));
      expect(refused.map((answer) => answer.body)).toEqual(others.map(() => OTHER));
      // The role of the desk makes no debits.
      expect(ofOther.status).toBe(route === 'debit' ? 200 : 409);
      expect(acts).toMatchObject([{ id, by: 'boss', reason }]);
      expect((await scene.post<Acts>('auditor', 'history', {})).body.acts).toEqual(acts);
    },
  );

  it('says what was forgotten then, and leaves what the client has used since', async () => {
    await scene.use(1_000);
    const forget = { ...acme, id: 'call-1', reason };

    const first = await scene.post<Forgotten>('desk', 'forget', forget);
    const empty = await scene.post<Forgotten>('desk', 'forget', forget);
    await scene.use(1_000);
    const full = await scene.post<Forgotten>('desk', 'forget', forget);

    const then = { tiers: ['hour'], deniedFor: 60_000 };
    expect([first.body, empty.body, full.body]).toEqual([
      { ...then, isNew: true },
      { ...then, isNew: false },
      { ...then, isNew: false },
    ]);
    expect(await scene.use()).toBe(false);
  });

  it('ends a pause once, also after another limit was set', async () => {
    await scene.post('desk', 'pause', { ...hour, lasts: HOUR_MS, reason });
    const release = { ...hour, id: 'call-2', reason };

    const first = await scene.post('desk', 'release', release);
    await scene.post('desk', 'override', { ...hour, override: { limit: 20, lasts: HOUR_MS, reason } });
    const again = await scene.post<Look>('desk', 'release', release);
    const fresh = await scene.post('desk', 'release', { ...release, id: 'call-3' });

    expect([first.status, again.status]).toEqual([200, 200]);
    expect(again.body.tiers).toMatchObject([{ limit: 20, isOverridden: true }]);
    expect([fresh.status, fresh.body.error]).toEqual([400, expect.stringContaining('an override that is no pause')]);
  });

  it('says what a debit has not found then', async () => {
    await scene.post('desk', 'credit', { ...acme, units: 3, id: 'invoice-1', reason });
    const debit = { ...acme, units: 5, id: 'dispute-1', reason };

    const answers = [await scene.post<Balance>('boss', 'debit', debit)];
    await scene.post('desk', 'credit', { ...acme, units: 9, id: 'invoice-2', reason });
    answers.push(await scene.post<Balance>('boss', 'debit', debit));

    expect(answers.map(({ body }) => body)).toEqual([
      { balance: 0, isNew: true, missing: 2 },
      { balance: 9, isNew: false, missing: 2 },
    ]);
  });
});

describe('a request with a known id to a dashboard whose overrides have no audit', () => {
  const opened: (() => unknown)[] = [];

  afterEach(async () => {
    for (const close of opened.splice(0).toReversed()) await close();
  });

  it('changes nothing more, and is refused if it is another one', async () => {
    const store = memoryStore();
    const limiter = createLimiter<string>({ store, name: 'hour', key: (user) => user, limit: 10, window: '1h' });
    const tokens = [{ name: 'boss', role: 'admin', token: TOKENS.boss }] as const;
    const dashboard = createDashboard({ store, overrides: overridesOf(limiter), tokens });
    const server = createServer(dashboard.handle);
    const { port } = (await listen(server)) as { port: number };
    opened.push(
      () => limiter.close(),
      () => closeServer(server),
      () => dashboard.close(),
    );
    const override = async (limit: number, id: string) => {
      const response = await fetch(`http://127.0.0.1:${port}/api/override`, {
        method: 'POST',
        headers: { ...bearer('boss'), 'content-type': 'application/json' },
        body: JSON.stringify({ ...hour, override: { limit, reason }, id }),
      });
      return response.status;
    };

    const statuses = [
      await override(20, 'a'),
      await override(30, 'b'),
      await override(20, 'a'),
      await override(40, 'a'),
    ];

    expect(statuses).toEqual([200, 200, 200, 409]);
    expect(overridesOf(limiter).list()).toMatchObject([{ limit: 30 }]);
  });
});
