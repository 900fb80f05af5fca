import { createLimiter, memoryStore } from '@sluice/core';
import { exportUsage, usage, type UsageRow } from '@sluice/quotas';
import type { StripeMeterOptions } from '@sluice/quotas/billing';
import { stripeSink } from '../../packages/quotas/src/billing/stripe-meter.js';
import type { Fate } from './stand-in.js';
import { StripeStandIn } from './stripe-stand-in.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const START = Date.UTC(2027, 0, 1);

describe('stripeMeter', () => {
  let now = START;
  let stripe: StripeStandIn;
  const closing: (() => unknown)[] = [];

  beforeEach(async () => {
    now = START;
    stripe = new StripeStandIn(() => now);
    stripe.addMeter('requests');
    for (const user of ['ada', 'bob', 'eve']) stripe.customers.add(`cus_${user}`);
    await stripe.start();
  });

  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
    await stripe.stop();
  });

  /** A limiter whose usage is exported to the stand-in, and the waits of its sink. */
  function scene(options: Partial<StripeMeterOptions> = {}) {
    const store = memoryStore({ clock: () => now });
    const tier = { key: (user: string) => user, label: (user: string) => user, usage: usage() };
    const limiter = createLimiter<string>({
      store,
      tiers: [{ ...tier, name: 'day', algorithm: 'fixed-window', limit: 1e6, window: '60d' }],
    });
    const waits: number[] = [];
    const time = { now: () => now, wait: async (milliseconds: number) => void waits.push(milliseconds) };
    const customer = ({ label }: UsageRow) => `cus_${label}`;
    const { key, url } = stripe;
    const sink = stripeSink({ key, url, meter: 'requests', customer, ...options }, time);
    const running = exportUsage(store, { sink });
    closing.push(() => running.close());
    const hour = () => void (now += HOUR + 300_000);
    return { store, limiter, running, waits, sink, hour };
  }

  it('bills the units of each customer, and an hour again with all of its units when a settlement changes it', async () => {
    const { limiter, running, hour } = scene();
    const decision = await limiter.consume('ada', { cost: 10 });
    await limiter.consume('ada', { cost: 5 });
    await limiter.consume('bob', { cost: 7 });
    hour();
    await running.run();
    const before = stripe.unitsOf('cus_ada', 'requests');

    await limiter.settle(decision, 4);
    const status = await running.run();

    expect([before, stripe.unitsOf('cus_ada', 'requests'), stripe.unitsOf('cus_bob', 'requests')]).toEqual([15, 9, 7]);
    expect(status).toMatchObject({ rows: 3, problem: undefined });
  });

  it('sends no row to a meter that adds each event, because it would add each revision of an hour', async () => {
    stripe.addMeter('raw', null);
    stripe.addMeter('newest', 'hour', 'last');
    const problems: unknown[] = [];

    for (const meter of ['raw', 'newest', 'unknown']) {
      const { limiter, running, hour } = scene({ meter });
      await limiter.consume('ada');
      hour();
      problems.push((await running.run()).problem);
    }

    const remedy = 'create one with event_time_window=hour and default_aggregation[formula]=sum';
    const kept = 'the sink has kept a row of ada:';
    expect(problems).toEqual([
      `${kept} the meter raw is not pre-aggregated by hours, so that its bill would be wrong: ${remedy}`,
      `${kept} the meter newest has the formula last, so that its bill would be wrong: ${remedy}`,
      `${kept} Stripe has no active meter with the event name unknown: ${remedy}`,
    ]);
    expect(stripe.requests).toBe(0);
  });

  it('keeps the usage of a customer that has no id at Stripe yet, says so, and bills it when it has one', async () => {
    const ids = new Map([['ada', 'cus_ada']]);
    const { limiter, running, hour } = scene({ customer: ({ label }) => ids.get(label!) });
    for (const user of ['ada', 'bob']) await limiter.consume(user, { cost: 3 });
    hour();

    const early = await running.run();
    ids.set('bob', 'cus_bob');
    const late = await running.run();

    expect(early).toMatchObject({
      rows: 1,
      problem: 'the sink has kept a row of bob: no customer of Stripe is known for it yet',
    });
    expect(late).toMatchObject({ rows: 2, problem: undefined });
    expect(['ada', 'bob'].map((user) => stripe.unitsOf(`cus_${user}`, 'requests'))).toEqual([3, 3]);
    expect(stripe.requests).toBe(2);
  });

  it('keeps the usage of a customer that Stripe does not know, and that of no other', async () => {
    const { limiter, running, hour } = scene();
    for (const user of ['ada', 'zoe']) await limiter.consume(user, { cost: 3 });
    hour();

    const status = await running.run();

    expect(status).toMatchObject({
      rows: 1,
      problem: "the sink has kept a row of zoe: Stripe answers 400: No such customer: 'cus_zoe'",
    });
    expect(stripe.unitsOf('cus_ada', 'requests')).toBe(3);
  });

  it('counts an hour once whose answer was lost', async () => {
    const { limiter, running, hour } = scene();
    await limiter.consume('ada', { cost: 3 });
    hour();
    stripe.fate = (request) => (request === 1 ? 'cut' : 'works');

    const cut = await running.run();
    const again = await running.run();

    expect(cut.problem).toMatch(/^the sink has kept a row of ada: Stripe cannot be reached: /);
    expect(again).toMatchObject({ rows: 1, problem: undefined });
    expect(stripe.unitsOf('cus_ada', 'requests')).toBe(3);
  });

  describe('as a sink of rows', () => {
    const owner = { id: 'a', source: undefined, tier: 'day', label: 'ada', digest: 'd', partition: undefined };
    const rowOf = (revision: number, units: number) => ({ ...owner, from: START - HOUR, to: START, units, revision });
    const { signal } = new AbortController();

    it('takes an event as billed that Stripe has already, under the identifier of this export', async () => {
      const { sink } = scene();

      expect(await sink([rowOf(1, 3)], { signal })).toEqual({ kept: [] });
      expect(await sink([rowOf(1, 3)], { signal })).toEqual({ kept: [] });
      expect([stripe.requests, stripe.unitsOf('cus_ada', 'requests')]).toEqual([2, 3]);
    });

    it('sends units again that the hour had before, in the same export or in a later one', async () => {
      const { sink } = scene();
      const billed: number[] = [];

      for (const [revision, units] of [
        [1, 5],
        [1, 3],
        [2, 5],
        [3, 3],
        [4, 0],
      ] as const) {
        await sink([rowOf(revision, units)], { signal });
        billed.push(stripe.unitsOf('cus_ada', 'requests'));
      }

      expect(billed).toEqual([5, 3, 5, 3, 0]);
    });
  });

  it('bills each unit once when half of the requests fail, before or after they were stored', async () => {
    const { limiter, running, hour } = scene();
    const users = ['ada', 'bob', 'eve'];
    const oracle = new Map(users.map((user) => [`cus_${user}`, 0]));
    const fates: readonly Fate[] = ['fails', 'works', 'cut', 'works'];
    stripe.fate = (request) => fates[request % 4]!;
    for (let step = 0; step < 60; step += 1) {
      const user = users[step % 3]!;
      const decision = await limiter.consume(user, { cost: 5 });
      const units = step % 4 === 0 ? 2 : 5;
      if (step % 7 === 0) hour();
      if (units !== 5) await limiter.settle(decision, units);
      oracle.set(`cus_${user}`, oracle.get(`cus_${user}`)! + units);
      if (step % 2 === 0) await running.run();
    }
    hour();
    for (let run = 0; run < 20; run += 1) await running.run();

    expect(running.status().problem).toBeUndefined();
    expect(new Map([...oracle.keys()].map((id) => [id, stripe.unitsOf(id, 'requests')]))).toEqual(oracle);
  });

  it('waits as long as Stripe asks when there were too many requests', async () => {
    const { limiter, running, waits, hour } = scene();
    await limiter.consume('ada', { cost: 3 });
    hour();
    stripe.fate = (request) => (request <= 2 ? 'busy' : 'works');

    expect(await running.run()).toMatchObject({ rows: 1, problem: undefined });
    expect(waits).toEqual([2_000, 2_000]);
  });

  it('ends a batch early that would take longer than the lock of the export lasts', async () => {
    const { limiter, running, hour } = scene();
    for (let user = 0; user < 20; user += 1) await limiter.consume(`user-${user}`);
    hour();
    const begun = now;
    stripe.fate = () => {
      now += 15_000;
      return 'busy';
    };

    const status = await running.run();

    expect(status.problem).toMatch(/^the sink has kept 20 rows, such as one of user-0: /);
    expect(now - begun).toBeLessThan(12 * 15_000);
  });

  it('stops after ten failures in a row, and does not try a key again that Stripe refuses', async () => {
    const { limiter, running, hour } = scene();
    for (let user = 0; user < 60; user += 1) await limiter.consume(`user-${user}`);
    hour();
    stripe.fate = () => 'fails';
    const failed = await running.run();
    const { requests } = stripe;
    const { limiter: other, running: refused, hour: later } = scene({ key: 'rk_live_secret' });
    for (let user = 0; user < 60; user += 1) await other.consume(`user-${user}`);
    later();

    const status = await refused.run();

    expect(failed.problem).toContain('60 rows, such as one of user-0: Stripe answers 500: an internal error');
    expect(requests).toBeLessThan(20);
    expect(status.problem).toContain('60 rows, such as one of user-0: Stripe answers 401: Invalid API Key provided: ');
    expect(status.problem).not.toContain('rk_live_secret');
    expect(stripe.requests).toBe(requests);
  });

  it('keeps hours that are older than 35 days, which Stripe takes no more, and sends the others', async () => {
    const { limiter, running } = scene();
    await limiter.consume('ada', { cost: 3 });
    now += 20 * DAY;
    await limiter.consume('ada', { cost: 4 });
    now += 16 * DAY;

    const status = await running.run();

    expect(status).toMatchObject({
      rows: 1,
      problem:
        'the sink has kept a row of ada: Stripe takes no event that is older than 35 days: bill it by an invoice item',
    });
    expect(stripe.unitsOf('cus_ada', 'requests')).toBe(4);
  });

  it('keeps a second row of an hour of a customer, because the last event would replace the first', async () => {
    const { limiter, running, hour } = scene({ customer: () => 'cus_ada' });
    for (const key of ['key 1', 'key 2']) await limiter.consume(key, { cost: 3 });
    hour();

    const status = await running.run();
    await running.run();

    expect(status.problem).toContain('kept a row of key 2: another row has this hour of cus_ada on the meter requests');
    expect(stripe.unitsOf('cus_ada', 'requests')).toBe(3);
  });

  it('sends the units of all rows of a customer where the ledger adds them up', async () => {
    const ledger = new Map<string, UsageRow>();
    const { limiter, sink, hour, store } = scene({
      customer: () => 'cus_ada',
      units: ({ from }) =>
        [...ledger.values()].filter((row) => row.from === from).reduce((sum, { units }) => sum + units, 0),
    });
    const running = exportUsage(store, {
      async sink(rows, context) {
        for (const row of rows) ledger.set(row.id, row);
        return sink(rows, context);
      },
    });
    closing.push(() => running.close());
    const decision = await limiter.consume('key 1', { cost: 5 });
    await limiter.consume('key 2', { cost: 3 });
    hour();
    await running.run();
    const before = stripe.unitsOf('cus_ada', 'requests');
    await limiter.settle(decision, 1);

    const status = await running.run();

    expect([before, stripe.unitsOf('cus_ada', 'requests')]).toEqual([8, 4]);
    expect(status).toMatchObject({ rows: 3, problem: undefined });
  });

  it('sends rows to the meter that a function names, and leaves out those for which it names none', async () => {
    stripe.addMeter('overage');
    const { limiter, running, hour } = scene({ meter: ({ label }) => (label === 'bob' ? undefined : 'overage') });
    for (const user of ['ada', 'bob']) await limiter.consume(user, { cost: 3 });
    hour();

    const status = await running.run();

    expect(status).toMatchObject({ rows: 2, problem: undefined });
    expect(['ada', 'bob'].map((user) => stripe.unitsOf(`cus_${user}`, 'overage'))).toEqual([3, 0]);
  });

  it('shows no key in the message of a mistake', () => {
    expect(() => scene({ key: 'sk_live with a space' })).toThrow(/^stripeMeter: key must be a key of Stripe/);
    expect(() => scene({ key: 'sk_live with a space' })).not.toThrow(/sk_live with/);
    const urls = ['https://user:secret@example.com', 'https://example.com/?key=secret', 'example.com', 'ftp://a'];
    for (const url of urls) expect(() => scene({ url })).toThrow(/^stripeMeter: url must be an http\(s\) URL/);
    for (const url of urls) expect(() => scene({ url })).not.toThrow(/secret/);
  });
});
