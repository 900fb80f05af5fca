import { by, byHeader, byIp, memoryStore, rateLimit } from '@sluice/express';
import type { GateTier } from '@sluice/core';
import { fakeClock } from '@sluice/core/testing';
import express5, { type Request } from 'express';
import { commandsDuring } from '../../support/monitor.js';
import { limitFields, statusesOf } from './fields.js';
import { served, versions } from './frameworks.js';
import { onEachStore } from './kept.js';
import { HELD, policies } from './policies.js';
import { siteOpener, type Question } from './site.js';

/** Ids that mean something to Redis, to JavaScript or to whoever joins texts. */
const hostile = ['}', '{', '{}', '}{', '{a}', 'a:b', 'a', 'b', '\u0000', 'a\u0000', '\u{1f434}', '__proto__', ' ', '*'];

describe.each(versions)('The limits on %s', (_version, express) => {
  const open = siteOpener();

  onEachStore((kept) => {
    it.each(policies)('C39 admit exactly what a %s holds of many requests at once', async (_algorithm, tier) => {
      const site = await open(served(express, rateLimit({ store: kept.newStore(), tiers: [tier] })));

      const answers = await Promise.all(Array.from({ length: 10 * HELD }, () => site.ask()));

      expect(statusesOf(answers).filter((status) => status === 200)).toHaveLength(HELD);
      expect(statusesOf(answers).filter((status) => status === 429)).toHaveLength(9 * HELD);
    });

    it('C42 read and do not charge a request of cost 0', async () => {
      const cost = ({ headers }: Request) => Number(headers['x-cost']);
      const site = await open(
        served(express, rateLimit({ store: kept.newStore(), name: 'hour', limit: HELD, window: '1h', cost })),
      );

      const answers = await site.askEach([0, 1, 0, 0, 4, 0, 1].map(costing));

      expect(statusesOf(answers)).toEqual([200, 200, 200, 200, 200, 200, 429]);
      expect(answers.map(({ headers }) => headers['x-ratelimit-remaining'])).toEqual([
        '5',
        '4',
        '4',
        '4',
        '0',
        '0',
        '0',
      ]);
    });

    it('C42 answer a cost that never fits with 422, without Retry-After, and charge nothing', async () => {
      const cost = ({ headers }: Request) => Number(headers['x-cost']);
      const site = await open(
        served(express, rateLimit({ store: kept.newStore(), name: 'hour', limit: HELD, window: '1h', cost })),
      );

      const [tooMuch, all] = await site.askEach([HELD + 1, HELD].map(costing));

      expect(tooMuch!.status).toBe(422);
      expect(tooMuch!.headers).not.toHaveProperty('retry-after');
      expect(all!.status).toBe(200);
    });

    it('C43 let nobody in where a function says 0, and leave a tier out where it says null', async () => {
      const limit = ({ headers }: Request) => (headers['x-plan'] === 'none' ? 0 : null);
      const site = await open(
        served(express, rateLimit({ store: kept.newStore(), name: 'hour', limit, window: '1h' })),
      );

      const [none, unlimited] = await site.askEach([{ headers: { 'X-Plan': 'none' } }, {}]);

      expect(none!.status).toBe(422);
      expect(none!.headers).not.toHaveProperty('retry-after');
      expect(unlimited!.status).toBe(200);
      expect(limitFields(unlimited!)).toEqual({});
    });

    it('C43 say nothing to requests that are skipped, and ask no store', async () => {
      const site = await open(
        served(
          express,
          rateLimit({
            store: kept.newStore(),
            name: 'hour',
            limit: 1,
            window: '1h',
            skip: ({ path }) => path === '/health',
          }),
        ),
      );
      const act = () => site.askEach([{ path: '/health' }, { path: '/health' }]);

      const commands = kept.redis ? await commandsDuring(kept.redis.server, act) : [];
      const answers = await act();

      expect(statusesOf(answers)).toEqual([200, 200]);
      expect(answers.map((answer) => limitFields(answer))).toEqual([{}, {}]);
      expect(commands.filter(({ name }) => name.startsWith('eval'))).toEqual([]);
    });

    it('C45 count each of many hostile ids for itself, under one key of fixed length', async () => {
      const app = served(
        express,
        express5.json(),
        rateLimit({
          store: kept.newStore(),
          name: 'hour',
          limit: HELD,
          window: '1h',
          key: by('account', ({ body }: Request) => (body as { id?: unknown }).id),
        }),
      );
      const site = await open(app);
      const ids = [...hostile, 'x'.repeat(512)];

      const answers = await site.askEach(ids.map((id) => posting({ id })));

      expect(answers.map(({ headers }) => headers['x-ratelimit-remaining'])).toEqual(ids.map(() => '4'));
      const keys = (await kept.redis?.client.keys('*')) ?? [];
      expect(keys).toHaveLength(kept.redis ? ids.length : 0);
      for (const key of keys) expect(key).toMatch(/^rl:\{[\w-]{22}\}:hour:[a-z]{2}\w{3}$/);
    });

    it('C45 take what is too long for an id for none, and count the address', async () => {
      const key = by('account', ({ body }: Request) => (body as { id?: unknown }).id);
      const site = await open(
        served(
          express,
          express5.json(),
          rateLimit({ store: kept.newStore(), name: 'hour', limit: HELD, window: '1h', key }),
        ),
      );

      const answers = await site.askEach([{ id: 'x'.repeat(10_240) }, { id: ['a'] }, {}].map(posting));

      expect(answers.map(({ headers }) => headers['x-ratelimit-remaining'])).toEqual(['4', '3', '2']);
    });

    it.each(policies)('C51 keep no key of a %s without a time to live', async (_algorithm, tier) => {
      const key = byHeader('x-tenant');
      const site = await open(
        served(express, rateLimit({ store: kept.newStore(), tiers: [{ ...tier, key } as GateTier<Request>] })),
      );

      await Promise.all(Array.from({ length: 20 }, (_, tenant) => site.ask({ headers: { 'X-Tenant': `${tenant}` } })));

      const { client } = kept.redis ?? {};
      const keys = (await client?.keys('*')) ?? [];
      const left = await Promise.all(keys.map((each) => client!.pttl(each)));
      expect(left).toHaveLength(kept.redis ? 20 : 0);
      const longest = tier.algorithm === 'multi-window' ? '3h' : '1h';
      for (const milliseconds of left) {
        expect(milliseconds).toBeGreaterThan(0);
        expect(milliseconds).toBeLessThanOrEqual(graceOf(longest));
      }
    });
  });

  it.each(policies.filter(([algorithm]) => algorithm !== 'fixed-window'))(
    'C41 admit at most one unit more than a %s holds, 1 ms before and after the edge of its window together',
    async (_algorithm, tier) => {
      const clock = fakeClock(Date.UTC(2030, 0, 1));
      const site = await open(served(express, rateLimit({ tiers: [tier], store: memoryStore({ clock }) })));

      clock.advance(3_599_999);
      const before = await site.askTimes(2 * HELD);
      clock.advance(2);
      const after = await site.askTimes(2 * HELD);

      const admitted = statusesOf([...before, ...after]).filter((status) => status === 200);
      expect(admitted.length).toBeLessThanOrEqual(HELD + 1);
    },
  );

  it('C52 keep no more keys in memory than are allowed, whoever comes, and deny nobody for it who is in', async () => {
    const store = memoryStore({ maxKeys: 16 });
    const site = await open(
      served(
        express,
        rateLimit({ store, name: 'hour', limit: 1, window: '1h', key: byHeader('x-tenant', { otherwise: byIp() }) }),
      ),
    );
    await site.ask();

    const sizes: number[] = [];
    for (let tenant = 0; tenant < 160; tenant += 1) {
      await site.ask({ headers: { 'X-Tenant': `${tenant}` } });
      sizes.push(store.size);
    }

    expect(Math.max(...sizes)).toBeLessThanOrEqual(16);
    expect((await site.ask()).status).toBe(429);
  });
});

function costing(cost: number): Question {
  return { headers: { 'X-Cost': `${cost}` } };
}

function posting(body: object): Question {
  return { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
}

/** Two windows, which a window of two halves needs, and a moment. */
function graceOf(window: '1h' | '3h'): number {
  return (window === '1h' ? 2 : 6) * 3_600_000 + 1_000;
}
