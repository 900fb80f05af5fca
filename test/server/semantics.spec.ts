import { openPolicies, redisPolicies } from '@sluice/policies';
import { redisStore } from '@sluice/redis';
import { patient } from '../support/patient.js';
import { withRedis } from '../support/redis-store.js';
import { entriesOf, type Entries } from './rate-limit-client.js';
import { SECRET, withServers } from './with-server.js';

const LIMITS = `
version: 1
limiters:
  api:
    tiers:
      - { name: ip-minute, key: ip, limit: 10, window: 1m, algorithm: fixed-window }
      - { name: tenant-hour, key: tenant, limit: 3, window: 1h, algorithm: fixed-window }
      - { name: tried, key: tenant, limit: 1, window: 1h, mode: shadow, algorithm: fixed-window }
      - { name: running, key: tenant, limit: 2, algorithm: concurrency, hold: 1h }
extensions:
  server:
    identities: [tenant]
    receiptHeader: x-sluice-receipt
    descriptors:
      - { tier: ip-minute, from: [remote_address] }
      - { tier: tenant-hour, from: [tenant] }
      - { tier: tried, from: ['generic_key=trial', tenant] }
      - { tier: running, from: ['generic_key=running', tenant] }
      - { from: [path], unlimited: true }
`;
const IP = { remote_address: '192.0.2.1' };
const ACME = { tenant: 'acme' };
const TRIAL = { generic_key: 'trial', ...ACME };
const RUNNING = { generic_key: 'running', ...ACME };

describe('ShouldRateLimit', () => {
  const start = withServers();

  /** A request of one descriptor with more fields. */
  const request = (entries: Entries, fields: object) => ({
    domain: 'api',
    descriptors: [{ entries: entriesOf(entries), ...fields }],
  });

  it('denies by a limit of 0 that a descriptor brings, and charges nothing', async () => {
    const { client } = await start(LIMITS);

    const denied = await client.send(request(IP, { limit: { requests_per_unit: 0, unit: 'UNIT_MINUTE' } }));

    expect(denied).toMatchObject({ overall_code: 'OVER_LIMIT', statuses: [{ limit_remaining: 0 }] });
    expect((await client.check('api', IP)).statuses[0]!.limit_remaining).toBe(9);
  });

  it('denies a cost above the limit for ever, with no time until a reset, and charges nothing', async () => {
    const { client } = await start(LIMITS);

    const never = await client.send(request(IP, { hits_addend: { value: 11 } }));

    expect(never).toMatchObject({
      overall_code: 'OVER_LIMIT',
      statuses: [{ code: 'OVER_LIMIT', limit_remaining: 0, duration_until_reset: null }],
      dynamic_metadata: { fields: { reason: { stringValue: 'never' } } },
    });
    expect(never.response_headers_to_add.map(({ key }) => key)).not.toContain('retry-after');
    expect((await client.check('api', IP)).statuses[0]!.limit_remaining).toBe(9);
  });

  it('takes a hits_addend of 0 for the whole request as a cost of 1', async () => {
    const { client } = await start(LIMITS);

    const reply = await client.send({ ...request(IP, {}), hits_addend: 0 });

    expect(reply.statuses[0]!.limit_remaining).toBe(9);
  });

  it('reads a tier with a hits_addend of 0 although it is over its limit, and says so', async () => {
    const { client } = await start(LIMITS);
    for (let count = 0; count < 3; count += 1) await client.check('api', ACME);

    const read = await client.send(request(ACME, { hits_addend: { value: 0 } }));

    expect(read).toMatchObject({ overall_code: 'OK', statuses: [{ code: 'OK', limit_remaining: 0 }] });
  });

  it('answers the statuses of all descriptors in their places when one of them denies, and charges none', async () => {
    const { client } = await start(LIMITS);
    for (let count = 0; count < 3; count += 1) await client.check('api', ACME);

    const over = await client.check('api', { path: '/' }, IP, ACME, TRIAL);
    const after = await client.check('api', IP, TRIAL);

    expect(over.statuses.map(({ code, current_limit: limit }) => [code, limit?.name])).toEqual([
      ['OK', undefined],
      ['OK', 'ip-minute'],
      ['OVER_LIMIT', 'tenant-hour'],
      ['OK', 'tried'],
    ]);
    expect(after.statuses.map(({ limit_remaining: left }) => left)).toEqual([9, 0]);
  });

  it('admits and counts by the others when a tier in shadow would deny', async () => {
    const { client } = await start(LIMITS);
    await client.check('api', TRIAL);

    const reply = await client.check('api', IP, TRIAL);

    expect(reply).toMatchObject({ overall_code: 'OK', dynamic_metadata: null, raw_body: Buffer.alloc(0) });
    expect(reply.statuses.map(({ code, limit_remaining: left }) => [code, left])).toEqual([
      ['OK', 9],
      ['OK', 0],
    ]);
  });

  it('is OK for a request of descriptors without a limit alone', async () => {
    const { client } = await start(LIMITS);

    const reply = await client.check('api', { path: '/a' }, { path: '/b' });

    expect(reply.overall_code).toBe('OK');
    expect(reply.statuses.map(({ code, current_limit }) => [code, current_limit])).toEqual([
      ['OK', null],
      ['OK', null],
    ]);
    expect([reply.response_headers_to_add, reply.request_headers_to_add]).toEqual([[], []]);
  });

  it('gives a permit that the service behind Envoy releases by the receipt of its request', async () => {
    const { client, post } = await start(LIMITS);
    const first = await client.check('api', RUNNING);
    await client.check('api', RUNNING);

    const denied = await client.check('api', RUNNING);
    const { body } = await post('/release', { receipt: first.request_headers_to_add[0]!.value });
    const admitted = await client.check('api', RUNNING);

    expect(denied).toMatchObject({ overall_code: 'OVER_LIMIT', request_headers_to_add: [] });
    expect(body).toEqual({ released: 1 });
    expect(admitted.overall_code).toBe('OK');
  });

  it('answers a denial with the headers of the middleware', async () => {
    const { client, post } = await start(LIMITS);
    for (let count = 0; count < 10; count += 1) await client.check('api', IP);

    const { response_headers_to_add: added } = await client.check('api', IP);
    const { headers } = await post('/check', { limiter: 'api', request: { ip: '192.0.2.1' }, identities: ACME });

    const names = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'retry-after', 'cache-control'];
    const byName = Object.fromEntries(added.map(({ key, value }) => [key, value]));
    expect(names.map((name) => byName[name])).toEqual(names.map((name) => headers.get(name)));
    expect(byName).toMatchObject({ 'x-ratelimit-limit': '10', 'x-ratelimit-remaining': '0' });
  });
});

describe('A limit that an operator has set for one identity', () => {
  const redis = withRedis();
  const start = withServers();

  it('wins over the limit of the file, and over that of a descriptor', async () => {
    const stores = [
      redisStore({ url: redis.server.url }, patient),
      redisStore({ url: redis.server.url }, patient),
    ] as const;
    const { client, file, server } = await start(LIMITS, { store: stores[0] });
    const keys = { tenant: () => '' };
    const admin = await openPolicies(file, { keys, secret: SECRET, fleet: redisPolicies(stores[1]) });

    await admin.overrides.set({
      tier: 'ip-minute',
      identity: { kind: 'ip', parts: ['192.0.2.1'] },
      limit: 77,
      reason: 'ticket 1',
      by: 'ada',
    });
    await server.refresh();
    const limit = { requests_per_unit: 5, unit: 'UNIT_MINUTE' };
    const replies = [
      await client.check('api', IP),
      await client.send({ domain: 'api', descriptors: [{ entries: entriesOf(IP), limit }] }),
      await client.send({
        domain: 'api',
        descriptors: [{ entries: entriesOf({ remote_address: '192.0.2.2' }), limit }],
      }),
    ];
    admin.close();
    await Promise.all(stores.map((store) => store.close()));

    expect(replies.map(({ statuses }) => statuses[0]!.current_limit!.requests_per_unit)).toEqual([77, 77, 5]);
  });
});
