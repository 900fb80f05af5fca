import { OpenMeterStandIn } from './open-meter-stand-in.js';
import type { StandIn } from './stand-in.js';
import { StripeStandIn } from './stripe-stand-in.js';

const DAY = 86_400;
const NOW = Date.UTC(2027, 0, 1) / 1e3;

/** As the API reference of Stripe describes meter events. */
describe('StripeStandIn', () => {
  let now = NOW;
  const stripe = new StripeStandIn(() => now * 1e3);

  beforeAll(async () => {
    stripe.addMeter('requests');
    stripe.customers.add('cus_ada');
    await stripe.start();
  });

  afterAll(() => stripe.stop());

  const send = async (change: Record<string, string>) => {
    const event = {
      event_name: 'requests',
      timestamp: String(NOW),
      'payload[stripe_customer_id]': 'cus_ada',
      'payload[value]': '5',
      identifier: 'a',
      ...change,
    };
    return post(stripe, '/v1/billing/meter_events', stripe.key, new URLSearchParams(event));
  };

  it('takes an identifier once in 24 hours', async () => {
    const answers = [await send({}), await send({})];
    now += DAY;
    answers.push(await send({}));

    expect(answers).toEqual([
      [200, undefined],
      [400, 'An event already exists with identifier a.'],
      [200, undefined],
    ]);
  });

  it.each<[string, Record<string, string>, number]>([
    ['an event of 35 days', { timestamp: String(NOW - 34 * DAY) }, 200],
    ['an older event', { timestamp: String(NOW - 36 * DAY) }, 400],
    ['an event of the next five minutes', { timestamp: String(NOW + DAY + 299) }, 200],
    ['a later event', { timestamp: String(NOW + DAY + 301) }, 400],
    ['a time in milliseconds', { timestamp: String(NOW * 1e3) }, 400],
    ['a value that is not whole', { 'payload[value]': '1.5' }, 400],
    ['a value that is no number', { 'payload[value]': 'five' }, 400],
    ['no value', { 'payload[value]': '' }, 400],
    ['another meter', { event_name: 'other' }, 400],
    ['a name of 101 characters', { event_name: 'x'.repeat(101) }, 400],
    ['an identifier of 101 characters', { identifier: 'x'.repeat(101) }, 400],
    ['an unknown customer', { 'payload[stripe_customer_id]': 'cus_eve' }, 400],
  ])('answers %s: %j with %i', async (what, change, status) => {
    expect((await send({ identifier: what, ...change }))[0]).toBe(status);
  });
});

describe('OpenMeterStandIn', () => {
  const service = new OpenMeterStandIn();

  beforeAll(() => service.start());
  afterAll(() => service.stop());

  const event = {
    specversion: '1.0',
    id: 'a',
    source: 'sluice',
    type: 'requests',
    subject: 'ada',
    time: '2027-01-01T00:00:00Z',
    data: { units: 5 },
  };
  const batch = 'application/cloudevents-batch+json';
  const send = (body: unknown, type = batch) =>
    post(service, '/api/v1/events', service.token, typeof body === 'string' ? body : JSON.stringify(body), type);

  it('counts an id of a source once, and takes it again', async () => {
    const again = { ...event, data: { units: 7 } };
    const statuses = [await send([event]), await send([again]), await send([{ ...event, source: 'other' }])];

    expect(statuses.map(([status]) => status)).toEqual([204, 204, 204]);
    expect(service.unitsOf('ada', 'requests')).toBe(10);
  });

  it.each<[string, unknown, string]>([
    ['an event without a subject', [{ ...event, subject: undefined }], batch],
    ['an event without an id', [{ ...event, id: '' }], batch],
    ['another version', [{ ...event, specversion: '0.3' }], batch],
    ['a time without a zone', [{ ...event, time: '2027-01-01 00:00' }], batch],
    ['no event', [], batch],
    ['no JSON', '[', batch],
    ['one event as a batch', event, batch],
    ['another type', [event], 'application/json'],
  ])('refuses %s', async (_what, body, type) => {
    expect((await send(body, type))[0]).toBe(400);
  });
});

async function post(
  { url }: StandIn,
  path: string,
  key: string,
  body: string | URLSearchParams,
  type = 'application/x-www-form-urlencoded',
): Promise<[status: number, message: string | undefined]> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': type };
  const response = await fetch(url + path, { method: 'POST', headers, body: String(body) });
  const text = await response.text();
  const { error } = (text === '' ? {} : JSON.parse(text)) as { readonly error?: { readonly message: string } };
  return [response.status, error?.message];
}
