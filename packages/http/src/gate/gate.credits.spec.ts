import type { IncomingMessage } from 'node:http';
import { createLimiter } from '../../../core/src/limiter/limiter.js';
import type { Tier } from '../../../core/src/limiter/tiers/tier.js';
import { memoryStore } from '../../../core/src/stores/memory/memory-store.js';
import { fakeClock } from '../../../testing/src/clock.js';
import { closeServers, serve } from '../../../../test/support/gate-server.js';
import { createGate } from './gate.js';
import { balance, creditsOf } from '../../../quotas/src/index.js';

const key = () => 'acme';

/** What clients of a plan with two credits get. */
async function plan(...tiers: Tier<IncomingMessage>[]) {
  const limiter = createLimiter<IncomingMessage>({ store: memoryStore({ clock: fakeClock() }), tiers });
  await creditsOf(limiter).credit({}, 2, { id: 'invoice 1' });
  const gate = createGate({ limiter, headers: ['draft-11'] });
  const server = await serve([gate], (request, response) => response.end(gate.decision(request)?.paidBy ?? 'included'));
  return async () => {
    const response = await server.send();
    const limit = response.headers.get('ratelimit');
    return [response.status, limit, response.headers.get('retry-after'), await response.text()] as const;
  };
}

describe('A gate with credits', () => {
  afterEach(closeServers);

  it('admits what credits pay, and then denies until the month ends', async () => {
    const request = await plan(
      { name: 'month', key, algorithm: 'fixed-window', limit: 1, window: '30d' },
      { name: 'credits', key, algorithm: balance({ covers: ['month'] }) },
    );

    const admitted = [await request(), await request(), await request()];
    const [status, limit, retryAfter, body] = await request();

    expect(admitted).toEqual([
      [200, '"month";r=0;t=2592000, "credits";r=2', null, 'included'],
      [200, '"month";r=0;t=2592000, "credits";r=1', null, 'credits'],
      [200, '"month";r=0;t=2592000, "credits";r=0', null, 'credits'],
    ]);
    expect([status, limit, retryAfter]).toEqual([429, '"month";r=0;t=2592000, "credits";r=0', '2592000']);
    expect(JSON.parse(body)).toMatchObject({ status: 429, 'violated-policies': ['month'] });
  });

  it('denies without a wait where only a balance denies, because no time refills it', async () => {
    const request = await plan({ name: 'prepaid', key, algorithm: balance() });

    const statuses = [await request(), await request()].map(([status]) => status);
    const [status, limit, retryAfter, body] = await request();

    expect(statuses).toEqual([200, 200]);
    expect([status, limit, retryAfter]).toEqual([429, '"prepaid";r=0', null]);
    expect(JSON.parse(body)).toMatchObject({
      detail: 'The balance has too few units for this request. Retrying helps when it has got more.',
      'violated-policies': ['prepaid'],
    });
  });

  it('denies what only a credit would admit without a wait, and says what helps', async () => {
    const request = await plan(
      { name: 'month', key, algorithm: 'fixed-window', limit: () => 0, window: '30d' },
      { name: 'credits', key, algorithm: balance({ covers: ['month'] }) },
    );

    const statuses = [await request(), await request()].map(([status]) => status);
    const [status, limit, retryAfter, body] = await request();

    expect(statuses).toEqual([200, 200]);
    expect([status, limit, retryAfter]).toEqual([429, '"month";r=0, "credits";r=0', null]);
    expect(JSON.parse(body)).toMatchObject({
      detail: 'The balance that pays for more has too few units. Retrying helps when it has got more.',
      'violated-policies': ['month'],
    });
  });

  it('promises no wait for a cost above a limit that a balance covers', async () => {
    const request = await plan(
      { name: 'month', key, algorithm: 'fixed-window', limit: 3, window: '30d', cost: () => 20 },
      { name: 'credits', key, algorithm: balance({ covers: ['month'] }) },
    );

    const [status, limit, retryAfter] = await request();

    expect([status, limit, retryAfter]).toEqual([429, '"month";r=0, "credits";r=2', null]);
  });

  it('says of a covered tier that denies when units of its balance have ended, and of no other tier', async () => {
    const clock = fakeClock();
    const limiter = createLimiter<IncomingMessage>({
      store: memoryStore({ clock }),
      tiers: [
        { name: 'minute', key, algorithm: 'fixed-window', limit: 2, window: '1m' },
        { name: 'day', key, algorithm: 'fixed-window', limit: 3, window: '1d' },
        { name: 'credits', key, algorithm: balance({ covers: ['day'] }) },
      ],
    });
    const expiresAt = clock() + 60_000;
    await creditsOf(limiter).credit({}, 5, { id: 'given', expiresAt });
    const server = await serve([createGate({ limiter })], (_request, response) => response.end());
    const detailOf = async () => JSON.parse((await (await server.send()).text()) || '{}').detail as string | undefined;

    const before = [await detailOf(), await detailOf(), await detailOf()];
    clock.set(expiresAt);
    const after = [await detailOf(), await detailOf()];
    clock.set(expiresAt + 86_400_000);
    const tomorrow = [await detailOf(), await detailOf(), await detailOf()];
    await creditsOf(limiter).credit({}, 1, { id: 'bought' });
    clock.set(expiresAt + 86_400_000 + 60_000);
    const bought = [await detailOf(), await detailOf(), await detailOf()];

    const end = new Date(expiresAt).toISOString();
    const day = 'Too many requests. Retry in 86340 seconds.';
    const minute = 'Too many requests. Retry in 60 seconds.';
    expect(before).toEqual([undefined, undefined, minute]);
    expect(after).toEqual([
      undefined,
      `${day} The balance that pays for more has too few units: units of it ended at ${end}.`,
    ]);
    expect(tomorrow).toEqual([undefined, undefined, minute]);
    expect(bought).toEqual([undefined, undefined, day]);
  });

  it('says when units have ended', async () => {
    const clock = fakeClock();
    const limiter = createLimiter<IncomingMessage>({
      store: memoryStore({ clock }),
      tiers: [{ name: 'prepaid', key, algorithm: balance() }],
    });
    const expiresAt = clock() + 60_000;
    await creditsOf(limiter).credit({}, 2, { id: 'given', expiresAt });
    clock.set(expiresAt);
    const server = await serve([createGate({ limiter })], (_request, response) => response.end());

    const response = await server.send();

    const end = new Date(expiresAt).toISOString();
    expect([response.status, JSON.parse(await response.text())]).toMatchObject([
      429,
      {
        detail: `The balance has too few units for this request: units of it ended at ${end}. Retrying helps when it has got more.`,
      },
    ]);
  });
});
