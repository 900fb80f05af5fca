import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { memoryStore } from '@sluice/express';
import type { Express } from 'express';
import { createApi } from '../../examples/metered-api/src/api.js';
import { customers, type Customer } from '../../examples/metered-api/src/customers.js';
import { StripeStandIn } from '../billing/stripe-stand-in.js';
import type { Fate } from '../billing/stand-in.js';

const HOUR = 3_600_000;
const SECRET = 'the secret of payments';
const servers: Server[] = [];
const closing: (() => unknown)[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) server.close(() => undefined).closeAllConnections();
  for (const close of closing.splice(0)) await close();
  jest.restoreAllMocks();
});

async function listen(app: Express): Promise<string> {
  const server = createServer(app).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** The example on a clock of the test, with a Stripe that fails by turns. */
async function scene() {
  let now = Date.UTC(2027, 4, 3, 12, 30);
  const clock = () => now;
  jest.spyOn(Date, 'now').mockImplementation(clock);
  const stripe = new StripeStandIn(clock);
  stripe.addMeter('units');
  for (const id of ['ada', 'acme', 'late']) stripe.customers.add(`cus_${id}`);
  const fates: readonly Fate[] = ['fails', 'cut', 'works', 'works', 'cut', 'fails', 'works'];
  stripe.fate = (request) => fates[request % fates.length]!;
  await stripe.start();
  const store = memoryStore({ clock });
  const api = createApi(store, { stripe: { key: stripe.key, url: stripe.url }, paymentSecret: SECRET });
  const url = await listen(api.app);
  closing.push(
    () => api.usage.close(),
    () => api.ledger.close(),
    () => stripe.stop(),
  );
  const get = (path: string, key = 'free-key') => fetch(url + path, { headers: { 'x-api-key': key } });
  const words = async (paths: readonly string[], key?: string) => {
    const statuses: number[] = [];
    for (const path of paths) {
      statuses.push((await get(`/words/${path}`, key)).status);
      // The tier of a second is not what these tests use up.
      now += 1_000;
    }
    return statuses;
  };
  const post = (path: string, body: unknown, secret = SECRET) =>
    fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-payment-secret': secret },
      body: JSON.stringify(body),
    });
  return {
    ...api,
    stripe,
    get,
    pay: (payment: unknown, secret?: string) => post('/payments', payment, secret),
    subscribe: (subscription: unknown, secret?: string) => post('/subscriptions', subscription, secret),
    words,
    advance: (milliseconds: number) => (now += milliseconds),
    time: () => now,
  };
}

describe('the metered API', () => {
  it('serves the units of a month, and then none until it ends in the time zone of the customer', async () => {
    const { words, get, time } = await scene();

    const statuses = await words(['10', '10', '1']);
    const denied = await get('/words/1');

    const ends = Date.UTC(2027, 4, 31, 22);
    expect(statuses).toEqual([200, 200, 429]);
    const seconds = Math.ceil((ends - time()) / 1e3);
    expect(denied.headers.get('retry-after')).toBe(String(seconds));
    expect(await denied.json()).toMatchObject({ 'retry-after': seconds });
  });

  it('mails a customer at 75, 90 and 100 percent, once', async () => {
    const { words, mails } = await scene();

    await words(['15', '3', '3', '2']);

    expect(mails.map(({ label, mark, used }) => [label, mark, used])).toEqual([
      ['ada', 0.75, 15],
      ['ada', 0.9, 18],
      ['ada', 1, 20],
    ]);
  });

  it('shows a customer its month and its hours, and no other customer', async () => {
    const { words, get } = await scene();
    await words(['7', '2']);
    await words(['40'], 'pro-key');

    const usage = (await (await get('/usage')).json()) as { hours: { units: number }[] };

    expect(usage).toMatchObject({ limit: 20, used: 9, endsAt: '2027-05-31T22:00:00.000Z', billed: [] });
    expect(usage.hours.map(({ units }) => units)).toEqual([9]);
  });

  it('lets credits pay when the month is used up, and counts a payment that comes twice once', async () => {
    const { words, get, pay, usage, ledger, advance } = await scene();
    const payment = { id: 'invoice 1', customer: 'ada', units: 12 };
    await words(['10', '10']);

    const paid = [await pay(payment), await pay(payment)];
    const served = await words(['5']);
    const body = await (await get('/words/5')).json();
    const denied = await words(['5']);
    advance(2 * HOUR);
    await usage.run();
    const page = await (await get('/usage')).json();

    expect(await Promise.all(paid.map((each) => each.json()))).toEqual([{ left: 12 }, { left: 12 }]);
    expect([served, denied]).toEqual([[200], [429]]);
    expect(body).toMatchObject({ words: ['one', 'two', 'three', 'four', 'five'], paidBy: 'credits' });
    expect(page).toMatchObject({ used: 20, credits: { bought: 12, left: 2, hours: [{ units: 10 }] } });
    expect(new Map(ledger.hours('ada').map(({ tier, units }) => [tier, units]))).toEqual(
      new Map([
        ['month in Europe/Berlin', 20],
        ['credits', 10],
      ]),
    );
  });

  it('counts a payment once when its webhook comes again after 64 others, which the store has forgotten', async () => {
    const { pay, get, advance } = await scene();
    const payment = (number: number) => ({ id: `invoice ${number}`, customer: 'ada', units: 12 });
    for (let number = 0; number <= 64; number += 1) {
      await pay(payment(number));
      advance(1);
    }

    const again = await pay(payment(0));

    expect([again.status, await again.json()]).toEqual([200, { left: 65 * 12 }]);
    expect(await (await get('/usage')).json()).toMatchObject({ credits: { bought: 65 * 12, left: 65 * 12 } });
  });

  it('adds the credits of a payment that the ledger has and the store has not', async () => {
    const { pay, ledger } = await scene();
    const payment = { id: 'invoice 1', customer: 'ada', units: 12 };
    // The process of the first webhook has died between both.
    ledger.addCredit(payment);

    const again = [await pay(payment), await pay(payment)];

    expect(await Promise.all(again.map((each) => each.json()))).toEqual([{ left: 12 }, { left: 12 }]);
  });

  it('refuses another amount, or another customer, under the id of a payment', async () => {
    const { pay, ledger } = await scene();
    const payment = { id: 'invoice 1', customer: 'ada', units: 100 };
    await pay(payment);

    const wrong = [await pay({ ...payment, units: 5_000 }), await pay({ ...payment, customer: 'acme' })];

    expect(wrong.map(({ status }) => status)).toEqual([409, 409]);
    expect(await wrong[0]!.json()).toEqual({ title: 'This payment had 100 units for ada' });
    expect([ledger.bought('ada'), ledger.bought('acme')]).toEqual([100, 0]);
  });

  it('takes no payment without the secret, and none that is not whole', async () => {
    const { pay, ledger } = await scene();
    const payment = { id: 'invoice 1', customer: 'ada', units: 12 };

    const unknown = await Promise.all(
      ['', 'The secret of payments', `${SECRET}s`].map((secret) => pay(payment, secret)),
    );
    const wrong = await Promise.all(
      [{ units: -5 }, { units: 0.5 }, { units: '5' }, { id: '' }, { customer: 'eve' }, { customer: '__proto__' }].map(
        (part) => pay({ ...payment, ...part }),
      ),
    );

    expect(unknown.map(({ status }) => status)).toEqual([401, 401, 401]);
    expect(wrong.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400, 400]);
    expect(ledger.bought('ada')).toBe(0);
  });

  it('bills each unit once, with a Stripe that fails half of the time', async () => {
    const { words, advance, usage, stripe, ledger, subscribe } = await scene();
    await subscribe({ customer: 'acme', stripe: 'cus_acme' });
    let units = 0;
    for (let hour = 0; hour < 9; hour += 1) {
      await words(['40', '4'], 'pro-key');
      units += 12 + 4;
      advance(HOUR);
      await usage.run();
    }
    advance(HOUR);
    for (let run = 0; run < 8; run += 1) await usage.run();

    expect(usage.status().problem).toBeUndefined();
    expect(stripe.unitsOf('cus_acme', 'units')).toBe(units);
    expect(ledger.hours('acme').reduce((sum, hour) => sum + hour.units, 0)).toBe(units);
    expect(ledger.hours('ada')).toEqual([]);
  });

  it('bills a customer who signs up after the start, from its first request on', async () => {
    const { words, advance, usage, stripe, ledger, subscribe } = await scene();
    const known = customers as Map<string, Customer>;
    known.set('late-key', { id: 'late', plan: 'free', timeZone: 'Europe/Berlin', billingDay: 1 });
    await words(['7', '2'], 'late-key');
    known.delete('late-key');
    advance(2 * HOUR);
    const { problem } = await usage.run();
    await subscribe({ customer: 'late', stripe: 'cus_late' });
    for (let run = 0; run < 8; run += 1) await usage.run();

    expect(problem).toBe('the sink has kept a row of late: no customer of Stripe is known for it yet');
    expect(stripe.unitsOf('cus_late', 'units')).toBe(9);
    expect(ledger.hours('late').map(({ units }) => units)).toEqual([9]);
  });

  it('bills both months of a customer that moves to another time zone within an hour, and no credits', async () => {
    const { words, pay, advance, usage, stripe, subscribe } = await scene();
    const known = customers as Map<string, Customer>;
    const ada = known.get('free-key')!;
    await subscribe({ customer: 'ada', stripe: 'cus_ada' });
    await pay({ id: 'invoice 1', customer: 'ada', units: 12 });
    await words(['10', '10', '5']);
    known.set('free-key', { ...ada, timeZone: 'America/New_York' });
    await words(['9']);
    known.set('free-key', ada);
    advance(2 * HOUR);
    for (let run = 0; run < 8; run += 1) await usage.run();

    expect(usage.status().problem).toBeUndefined();
    expect(stripe.unitsOf('cus_ada', 'units')).toBe(29);
  });

  it('takes no subscription without the secret, and none that is not whole', async () => {
    const { subscribe, ledger } = await scene();
    const right = { customer: 'ada', stripe: 'cus_ada' };

    const unknown = await subscribe(right, 'another secret');
    const wrong = await Promise.all(
      [{ stripe: 'ada' }, { stripe: 5 }, { customer: '' }, { customer: ['ada'] }].map((part) =>
        subscribe({ ...right, ...part }),
      ),
    );

    expect([unknown.status, ...wrong.map(({ status }) => status)]).toEqual([401, 400, 400, 400, 400]);
    expect(ledger.stripeIdOf('ada')).toBeUndefined();
  });

  it('serves no client without a key, no words that are no number, and no more by other spellings', async () => {
    const { words, get } = await scene();

    const strange = await words(['0', '-5', '51', '1e1e', '%30x', '1.5', 'NaN']);
    const keys = await Promise.all(['', 'free-Key', '__proto__', 'constructor'].map((key) => get('/words/1', key)));
    const spellings = await words(['1e1', '0x5', '6', '06?', '%36']);

    expect(strange).toEqual([400, 400, 400, 400, 400, 400, 400]);
    expect(keys.map(({ status }) => status)).toEqual([401, 401, 401, 401]);
    expect(spellings).toEqual([200, 200, 429, 429, 429]);
  });
});
