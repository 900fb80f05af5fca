import type { ServeOptions } from '@sluice/server';
import { redisStore, type RedisStore } from '@sluice/redis';
import { patient } from '../support/patient.js';
import { withRedis } from '../support/redis-store.js';
import { LIMITS } from './limits.js';
import { SECRET, withServers } from './with-server.js';

const CHECK = { limiter: 'jobs', identities: { tenant: 'acme' } };

describe('A receipt', () => {
  const redis = withRedis();
  const start = withServers();
  const stores: RedisStore[] = [];

  beforeEach(() => redis.client.flushall());
  afterEach(() => Promise.all(stores.splice(0).map((store) => store.close())));

  /** A process has a store of its own. */
  function startProcess(options: Partial<ServeOptions> = {}) {
    const store = redisStore({ url: redis.server.url }, patient);
    stores.push(store);
    return start(LIMITS, { store, fleet: false, ...options });
  }

  async function twoProcesses() {
    return { one: await startProcess(), other: await startProcess() };
  }

  it('is refunded on any process, once', async () => {
    const { one, other } = await twoProcesses();
    const { receipt } = (await one.post('/check', { ...CHECK, cost: 2 })).body;

    const refunds = [await other.post('/refund', { receipt }), await one.post('/refund', { receipt })];
    const { decision } = (await one.post('/check', { ...CHECK, cost: 2, peek: true })).body;

    expect(refunds.map(({ status, body }) => [status, body['given']])).toEqual([
      [200, 4],
      [200, 0],
    ]);
    expect(decision).toMatchObject({ outcomes: [{ remaining: 100 }, { remaining: 2 }] });
  });

  it('settles a reserved cost on any process, once', async () => {
    const { one, other } = await twoProcesses();
    const { receipt } = (await one.post('/check', { ...CHECK, cost: 1 })).body;

    const settled = [
      await other.post('/settle', { receipt, cost: { tokens: 31 } }),
      await one.post('/settle', { receipt, cost: { tokens: 50 } }),
      await one.post('/refund', { receipt }),
    ];
    const { decision } = (await one.post('/check', { ...CHECK, peek: true })).body;

    expect(settled.map(({ body }) => body['charged'] ?? body['given'])).toEqual([30, 0, 0]);
    expect(decision).toMatchObject({ outcomes: [{ remaining: 69 }, {}] });
  });

  it('names each tier once to a program that names another one, and can still be settled', async () => {
    const server = await startProcess();
    const { receipt } = (await server.post('/check', { ...CHECK, cost: 2 })).body;

    const refused = await server.post('/settle', { receipt, cost: { tokesn: 1 } });
    const settled = await server.post('/settle', { receipt, cost: { tokens: 1 } });

    expect(refused.body['detail']).toBe(
      'settle: cost: tiers must name tiers of this limiter (tokens, running), got "tokesn"',
    );
    expect(settled.body['charged']).toBe(-1);
  });

  it('releases the permits of a request on any process, and again releases none', async () => {
    const { one, other } = await twoProcesses();
    const first = (await one.post('/check', CHECK)).body;
    await one.post('/check', CHECK);
    const denied = await other.post('/check', CHECK);

    const released = [
      (await other.post('/release', { receipt: first['receipt'] })).body,
      (await other.post('/release', { receipt: first['receipt'] })).body,
    ];

    expect(denied).toMatchObject({ status: 429, body: { decision: { deniedBy: ['running'] } } });
    expect(released).toEqual([{ released: 1 }, { released: 0 }]);
    expect((await other.post('/check', CHECK)).status).toBe(200);
  });

  it('renews permits, and says how many units others could have been given', async () => {
    const { one, other } = await twoProcesses();
    const { receipt } = (await one.post('/check', CHECK)).body;

    const renewed = await other.post('/renew', { receipt });
    await one.post('/release', { receipt });
    const late = await other.post('/renew', { receipt: renewed.body['receipt'] });

    expect(renewed).toMatchObject({ status: 200, body: { lapsed: 0 } });
    expect(late.body).toMatchObject({ lapsed: 1 });
  });

  it('has permits alone when it is renewed after a settlement, so that nothing is given back twice', async () => {
    const { one } = await twoProcesses();
    const { receipt } = (await one.post('/check', CHECK)).body as { readonly receipt: string };
    const unitsIn = (body: Record<string, unknown>) =>
      Buffer.from((body['receipt'] as string).split('.')[1]!, 'base64url')
        .toString()
        .match(/"units":/g)!.length;

    const before = await one.post('/renew', { receipt });
    await one.post('/settle', { receipt, cost: { tokens: 31 } });
    const after = await one.post('/renew', { receipt });

    expect([unitsIn(before.body), unitsIn(after.body)]).toEqual([2, 1]);
  });

  it('is refused under another prefix, also a longer one, so that no units come back twice', async () => {
    const long = await startProcess({ limiters: { prefix: 'rl:jobs' } });
    const short = await startProcess();
    const { receipt } = (await long.post('/check', { ...CHECK, cost: 2 })).body;

    const refunds = [await short.post('/refund', { receipt }), await long.post('/refund', { receipt })];

    expect(refunds.map(({ status, body }) => [status, body['given']])).toEqual([
      [400, undefined],
      [200, 4],
    ]);
  });

  it('is taken by the former secret after a change of the secret, once, and written anew by the new one', async () => {
    const secret = 'the next secret of the service';
    const old = await startProcess();
    const both = await startProcess({ secret, formerSecrets: ['another one of before', SECRET] });
    const next = await startProcess({ secret });
    const { receipt } = (await old.post('/check', CHECK)).body;

    const { body: renewed } = await both.post('/renew', { receipt });
    const refunds = [
      await next.post('/refund', { receipt }),
      await next.post('/refund', { receipt: renewed['receipt'] }),
      await both.post('/refund', { receipt }),
    ];

    expect(refunds.map(({ status, body }) => [status, body['given']])).toEqual([
      [400, undefined],
      [200, 2],
      [200, 0],
    ]);
  });

  it('is refused after a change, under another secret, and without a permit to renew', async () => {
    const { one } = await twoProcesses();
    const stranger = await startProcess({ secret: 'another secret of a service' });
    const { receipt } = (await one.post('/check', CHECK)).body as { readonly receipt: string };
    const [version, text, mac] = receipt.split('.') as [string, string, string];
    const changed = Buffer.from(Buffer.from(text, 'base64url').toString().replace('"units":1', '"units":9')).toString(
      'base64url',
    );
    const api = { limiter: 'api', request: { ip: '192.0.2.1' }, identities: { tenant: 'acme' } };
    const { receipt: ofRate } = (await one.post('/check', api)).body;

    const refused = await Promise.all([
      one.post('/refund', { receipt: `${version}.${changed}.${mac}` }),
      stranger.post('/refund', { receipt }),
      one.post('/refund', { receipt: 'none' }),
      one.post('/renew', { receipt: ofRate }),
    ]);

    expect(refused.map(({ status }) => status)).toEqual([400, 400, 400, 400]);
    expect(refused.map(({ body }) => body['detail'])).toEqual([
      expect.stringMatching(/was not written with the secret/),
      expect.stringMatching(/was not written with the secret/),
      expect.stringMatching(/must be the receipt of an answer/),
      expect.stringMatching(/has no permit/),
    ]);
  });
});
