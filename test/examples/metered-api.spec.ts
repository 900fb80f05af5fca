import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { memoryStore } from '@sluice/express';
import type { Express } from 'express';
import { createApi } from '../../examples/metered-api/src/api.js';
import { BillingApi } from '../../examples/metered-api/src/billing.js';
import { customers, type Customer } from '../../examples/metered-api/src/customers.js';

const HOUR = 3_600_000;
const SECRET = 'the secret of payments';
const servers: Server[] = [];
const closing: (() => unknown)[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) server.close(() => undefined).closeAllConnections();
  for (const close of closing.splice(0)) await close();
});

async function listen(app: Express): Promise<string> {
  const server = createServer(app).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** The example on a clock of the test, with a billing API that fails by turns. */
async function scene() {
  let now = Date.UTC(2027, 4, 3, 12, 30);
  let calls = 0;
  const fates = [0.1, 0.3, 0.8, 0.4, 0.9, 0.2, 0.7];
  const billing = new BillingApi(() => fates[(calls += 1) % fates.length]!);
  const store = memoryStore({ clock: () => now });
  const api = createApi(store, { billing: await listen(billing.app), paymentSecret: SECRET });
  const url = await listen(api.app);
  closing.push(
    () => api.usage.close(),
    () => api.ledger.close(),
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
  const pay = (payment: unknown, secret = SECRET) =>
    fetch(`${url}/payments`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-payment-secret': secret },
      body: JSON.stringify(payment),
    });
  return {
    ...api,
    billing,
    get,
    pay,
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

  it('bills each unit once, with a billing API that fails half of the time', async () => {
    const { words, advance, usage, billing, ledger } = await scene();
    let units = 0;
    for (let hour = 0; hour < 9; hour += 1) {
      await words(['40', '4'], 'pro-key');
      units += 12 + 4;
      advance(HOUR);
      await usage.run();
    }
    advance(HOUR);
    for (let run = 0; run < 8; run += 1) await usage.run();

    expect(billing.unitsOf('acme')).toBe(units);
    expect(ledger.hours('acme').reduce((sum, hour) => sum + hour.units, 0)).toBe(units);
    expect(ledger.hours('ada')).toEqual([]);
  });

  it('bills a customer by name who signs up after the start', async () => {
    const { words, advance, usage, billing, ledger } = await scene();
    const known = customers as Map<string, Customer>;
    known.set('late-key', { id: 'late', plan: 'free', timeZone: 'Europe/Berlin', billingDay: 1 });
    await words(['7', '2'], 'late-key');
    known.delete('late-key');
    advance(2 * HOUR);
    for (let run = 0; run < 8; run += 1) await usage.run();

    expect(billing.unitsOf('late')).toBe(9);
    expect(ledger.hours('late').map(({ units }) => units)).toEqual([9]);
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
