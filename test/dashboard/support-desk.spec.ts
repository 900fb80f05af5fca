import type { Acts, Balance, Look } from '@sluice/dashboard';
import { acme, bearer, DAY_MS, dayAfter, DeskScene, HOUR_MS, type Name } from './desk-scene.js';

describe('the HTTP API of a process that has no limiter of its own', () => {
  const scene = new DeskScene();

  it('lets a support desk find a denied client, see why, give it 5 000 more until a day, and see who did it', async () => {
    await scene.use(1_000);
    const friday = dayAfter(4);
    const before = await scene.use();
    const raise = {
      ...acme,
      tier: 'hour',
      override: { more: 5_000, until: friday, reason: 'ticket 4711' },
      id: 'ticket-4711',
    };

    const found = await scene.post<Look>('desk', 'look', acme);
    const raised = await scene.post<Look>('desk', 'override', raise);
    const again = await scene.post<Look>('desk', 'override', raise);
    const after = await scene.use();
    const refused = await scene.post('auditor', 'override', raise);
    const history = await scene.post<Acts>('auditor', 'history', acme);
    const listed = await scene.send<object>('/api/overrides', { headers: bearer('auditor') });

    expect([before, after]).toEqual([false, true]);
    expect(found.body.tiers).toMatchObject([{ tier: 'hour', allowed: false, limit: 1_000, remaining: 0 }]);
    expect(found.body.tiers[0]!.reasons.length).toBeGreaterThan(0);
    expect([raised.status, again.status]).toEqual([200, 200]);
    expect(raised.body.tiers).toMatchObject([{ tier: 'hour', allowed: true, limit: 6_000, isOverridden: true }]);
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
        detail: { limit: 6_000, until: Date.parse(friday) + DAY_MS, more: 5_000 },
      },
    ]);
    expect(listed.body).toMatchObject({ overrides: [{ tier: 'hour', limit: 6_000, by: 'desk' }] });
    expect([found, raised, history, listed].map(({ text }) => text).join('')).not.toContain('acme');
  });

  it('credits and debits once for an id, pauses, releases and forgets, each in the name of the token', async () => {
    const credit = { ...acme, units: 500, id: 'invoice-7', reason: 'paid' };
    const lasting = { ...acme, tier: 'hour', lasts: HOUR_MS, reason: 'abuse' };

    const credited = await scene.post<Balance>('desk', 'credit', credit);
    const again = await scene.post<Balance>('desk', 'credit', credit);
    const other = await scene.post<{ readonly error: string }>('desk', 'credit', { ...credit, units: 501 });
    const debited = await scene.post<Balance>('boss', 'debit', {
      ...acme,
      units: 200,
      id: 'dispute-7',
      reason: 'charged back',
    });
    const left = await scene.balance();
    await scene.post('desk', 'pause', lasting);
    const paused = (await scene.post<Look>('desk', 'look', acme)).body.tiers.find(({ tier }) => tier === 'hour');
    const released = await scene.post<Look>('desk', 'release', { ...acme, tier: 'hour', reason: 'mistake' });
    await scene.use();
    const forgotten = await scene.post<object>('desk', 'forget', { ...acme, reason: 'ticket 4712' });
    const balanceStays = await scene.post('desk', 'forget', { ...acme, tier: 'credits', reason: 'ticket 4712' });
    const ofClient = await scene.post<Acts>('auditor', 'history', acme);
    const ofAll = await scene.post<Acts>('auditor', 'history', {});

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
    expect(forgotten.body).toEqual({ tiers: ['hour'], deniedFor: 60_000, isNew: true });
    expect([balanceStays.status, await scene.balance()]).toEqual([403, 300]);
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
      const answers = await Promise.all(Object.entries(changes).map(([route, body]) => scene.post(name, route, body)));
      return answers.map(({ status }) => status === 403);
    };
    const endless = { ...acme, tier: 'hour', override: { limit: 5, reason: 'x' } };

    expect(await statusOf('auditor')).toEqual([true, true, true, true, true, true]);
    expect(await statusOf('desk')).toEqual([false, false, false, false, false, true]);
    expect(await statusOf('boss')).toEqual([false, false, false, false, false, false]);
    expect((await scene.post('desk', 'override', endless)).body).toEqual({
      error: 'a limit without an end needs the role admin: send lasts or until',
    });
    expect((await scene.post('boss', 'override', endless)).status).toBe(200);
  });
});
