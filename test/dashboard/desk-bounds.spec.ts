import { readFileSync, writeFileSync } from 'node:fs';
import type { Acts } from '@sluice/dashboard';
import { acme, DAY_MS, dayAfter, DeskScene, HOUR_MS } from './desk-scene.js';

const hour = { ...acme, tier: 'hour' };
const reason = 'x';
const override = (change: object) => ({ ...hour, override: { reason, ...change } });

describe('the role support', () => {
  const scene = new DeskScene();

  it.each<[what: string, route: string, body: object, error: RegExp]>([
    [
      'a limit for a hundred years',
      'override',
      override({ limit: 9, until: '2126-01-31' }),
      /ends after .* needs the role admin/,
    ],
    [
      'a limit for 91 days',
      'override',
      override({ limit: 9, lasts: 91 * DAY_MS }),
      /ends after .* needs the role admin/,
    ],
    ['a pause for 91 days', 'pause', { ...hour, lasts: 91 * DAY_MS, reason }, /ends after .* needs the role admin/],
    ['a pause without an end', 'pause', { ...hour, reason }, /without an end needs the role admin/],
    ['eleven times the limit', 'override', override({ limit: 11_000, lasts: HOUR_MS }), /admin: send at most 10000$/],
    ['as much above the limit', 'override', override({ more: 10_000, lasts: HOUR_MS }), /admin: send at most 10000$/],
    ['no limit', 'override', override({ limit: null, lasts: HOUR_MS }), /admin: send at most 10000$/],
    [
      'more than a million units',
      'credit',
      { ...acme, units: 1_000_001, id: 'c', reason },
      /^a credit of more than 1000000 units needs the role admin$/,
    ],
  ])('cannot give %s, which an admin can', async (_what, route, body, error) => {
    const [refused, done] = [await scene.post('desk', route, body), await scene.post('boss', route, body)];

    expect([refused.status, refused.body.error]).toEqual([403, expect.stringMatching(error)]);
    expect(done.status).toBe(200);
    expect((await scene.post<Acts>('auditor', 'history', acme)).body.acts).toMatchObject([{ by: 'boss' }]);
  });

  it('can give ten times the limit for 90 days, end that, and replace it', async () => {
    const most = override({ limit: 10_000, until: dayAfter(89) });

    const statuses = [
      await scene.post('desk', 'override', most),
      await scene.post('desk', 'override', override({ limit: 5, lasts: HOUR_MS })),
      await scene.post('desk', 'override', { ...hour, override: null }),
      await scene.post('desk', 'pause', { ...hour, lasts: HOUR_MS, reason }),
      await scene.post('desk', 'release', { ...hour, reason }),
    ].map(({ status }) => status);

    expect(statuses).toEqual([200, 200, 200, 200, 200]);
  });

  it.each<[what: string, set: object, error: RegExp]>([
    ['an endless limit', { limit: 50 }, /has no end for the role support: to replace or end it needs the role admin/],
    ['an endless pause', { limit: 0 }, /has no end for the role support/],
    ['a limit that lasts longer', { limit: 50, until: '2126-01-31' }, /ends too late for the role support/],
    ['a larger limit', { limit: 20_000, lasts: HOUR_MS }, /has too large a limit for the role support/],
  ])('neither ends nor replaces %s of an admin, also before its process has read it', async (_what, set, error) => {
    // By another process, so that the desk knows nothing of it yet.
    const { lasts, ...own } = set as { readonly lasts?: number; readonly limit: number };
    const until = lasts === undefined ? {} : { until: Date.now() + lasts };
    await scene.policies.overrides.set({ tier: 'hour', identity: 'acme', reason, by: 'boss', ...own, ...until });
    const change = { limit: 5, lasts: HOUR_MS };

    const refused = [
      await scene.post('desk', 'override', override(change)),
      await scene.post('desk', 'override', { ...hour, override: null }),
      await scene.post('desk', 'pause', { ...hour, lasts: HOUR_MS, reason }),
    ];
    const done = await scene.post('boss', 'override', override(change));

    expect(refused.map(({ status }) => status)).toEqual([403, 403, 403]);
    for (const { body } of refused) expect(body.error).toMatch(error);
    expect(done.status).toBe(200);
  });

  it('neither ends nor lifts an endless override that the file has', async () => {
    const text = readFileSync(scene.redis.file, 'utf8');
    const block = "overrides:\n  - { tier: hour, identity: acme, limit: 0, reason: 'abuse' }\n";
    writeFileSync(scene.redis.file, `${text}${block}`);
    await scene.deskPolicies.refresh();

    const refused = await scene.post('desk', 'override', override({ limit: 500, lasts: HOUR_MS }));
    const done = await scene.post('boss', 'override', override({ limit: 500, lasts: HOUR_MS }));

    expect([refused.status, refused.body.error]).toEqual([403, expect.stringContaining('has no end')]);
    expect(done.status).toBe(200);
  });
});

describe('the option support', () => {
  const scene = new DeskScene({ support: { lasts: '1h', times: 2, units: 10 } });

  it('bounds what the role may give', async () => {
    const statuses = [
      await scene.post('desk', 'override', override({ limit: 2_000, lasts: HOUR_MS / 2 })),
      await scene.post('desk', 'override', override({ limit: 2_001, lasts: HOUR_MS / 2 })),
      await scene.post('desk', 'override', override({ limit: 5, lasts: 2 * HOUR_MS })),
      await scene.post('desk', 'credit', { ...acme, units: 10, id: 'a', reason }),
      await scene.post('desk', 'credit', { ...acme, units: 11, id: 'b', reason }),
    ].map(({ status }) => status);

    expect(statuses).toEqual([200, 403, 403, 200, 403]);
  });
});
