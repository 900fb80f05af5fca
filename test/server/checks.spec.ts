import { within } from '../support/within.js';
import { LIMITS } from './limits.js';
import { withServers } from './with-server.js';

describe('POST /check', () => {
  const start = withServers();
  const request = { ip: '192.0.2.1' };
  const check = { limiter: 'api', request, identities: { tenant: 'acme' }, plan: 'pro' };

  it('shares its counts with ShouldRateLimit', async () => {
    const { client, post } = await start(LIMITS);

    const first = await client.check('api', { remote_address: '192.0.2.1' });
    const second = await post('/check', check);
    await client.check('api', { remote_address: '192.0.2.1' });
    const denied = await post('/check', check);

    expect(first.statuses[0]!.limit_remaining).toBe(2);
    expect(second.body['decision']).toMatchObject({
      outcomes: [{ tier: 'tenant-hour' }, { tier: 'ip-minute', remaining: 1 }],
    });
    expect(denied.status).toBe(429);
  });

  it('answers a denial with the status, the headers and the problem of the middleware', async () => {
    const { post } = await start(LIMITS);
    for (let count = 0; count < 3; count += 1) await post('/check', check);

    const { status, headers, body } = await post('/check', check);

    expect(status).toBe(429);
    expect(headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
    expect(headers.get('retry-after')).toBe('60');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-ratelimit-remaining')).toBe('0');
    expect(body).toMatchObject({
      title: 'Request cannot be satisfied as assigned quota has been exceeded',
      status: 429,
      'retry-after': 60,
      'violated-policies': ['ip-minute'],
      allowed: false,
      decision: { deniedBy: ['ip-minute'] },
    });
    expect(body).not.toHaveProperty('receipt');
  });

  it.each([
    ['free', 2],
    ['pro', 5],
    ['gold', 1],
    [undefined, 1],
  ])('decides by the limit of the plan %s', async (plan, limit) => {
    const { post } = await start(LIMITS);

    const { body } = await post('/check', { ...check, plan });

    expect(body['decision']).toMatchObject({ outcomes: [{ tier: 'tenant-hour', limit }, {}] });
  });

  it.each<readonly [string, object, RegExp]>([
    [
      'another limiter',
      { ...check, limiter: 'apy' },
      /limiter must be a limiter of .*, which has api, jobs, got "apy"/,
    ],
    ['no limiter', { request }, /limiter is missing/],
    ['a misspelled option', { ...check, plann: 'pro' }, /plann is not an option here: did you mean plan\?/],
    ['no identity of a tier', { limiter: 'api', request }, /identities\.tenant is missing/],
    [
      'an empty identity',
      { limiter: 'api', request, identities: { plan: 'pro', tenant: '' } },
      /identities\.tenant must be a text of 1 to 512 characters, a whole number or \{ kind, parts \}/,
    ],
    ['an address that is none', { ...check, request: { ip: 'localhost' } }, /ip must be the address of the client/],
    ['a cost below 0', { ...check, cost: -1 }, /cost must be an integer of at least 0/],
    ['headers that are no texts', { ...check, request: { headers: { a: 1 } } }, /headers must be/],
  ])('refuses %s, and says what to write', async (_what, body, message) => {
    const { post } = await start(LIMITS);

    const refused = await post('/check', body);

    expect(refused.status).toBe(400);
    expect(refused.body['detail']).toMatch(message);
  });

  it('puts a change of the file in force, with its counts', async () => {
    const { client, post, change } = await start(LIMITS);
    await post('/check', check);

    await change(LIMITS.replace('limit: 3', 'limit: 9').replace('[remote_address]', '[peer]'));
    const { body } = await post('/check', check);
    const renamed = await client.check('api', { peer: '192.0.2.1' });

    expect(body['decision']).toMatchObject({ outcomes: [{}, { tier: 'ip-minute', limit: 9, remaining: 7 }] });
    expect(renamed.statuses[0]!.limit_remaining).toBe(6);
    await expect(client.check('api', { remote_address: '192.0.2.1' })).rejects.toThrow(/no rule/);
  });

  it('answers a peek at once, and says how long its request would wait in a queue', async () => {
    const { client, post } = await start(`
version: 1
limiters: { api: { tiers: [{ name: line, key: ip, limit: 1, window: 1h, algorithm: leaky-bucket, queue: 3 }] } }
extensions: { server: { descriptors: [{ tier: line, from: [remote_address] }] } }
`);
    await post('/check', { limiter: 'api', request });

    const peek = { limiter: 'api', request, peek: true };
    const { status, body } = await within(20_000, () => post('/check', peek));
    const read = await client.send({
      domain: 'api',
      descriptors: [{ entries: [{ key: 'remote_address', value: '192.0.2.1' }], hits_addend: { value: 0 } }],
    });

    expect([status, body['allowed']]).toEqual([200, true]);
    expect((body['decision'] as { readonly delay: number }).delay).toBeGreaterThan(3_500_000);
    expect(read.overall_code).toBe('OK');
  });

  it('keeps the limits in force when a change has a key that nobody has', async () => {
    const { client, change } = await start(LIMITS);

    await expect(change(LIMITS.replace('key: ip,', 'key: ipp,'))).rejects.toThrow(
      /limits-\d+\.yaml:6:33 tier "ip-minute": key must be one of ip, api-key, .*: for an identity that requests bring, write extensions: \{ server: \{ identities: \[tenant, ipp\] \} \}, got "ipp"/,
    );
    await expect(client.check('api', { remote_address: '192.0.2.1' })).resolves.toMatchObject({ overall_code: 'OK' });
  });

  it('keeps the limits and rules in force when a change is refused', async () => {
    const { client, change } = await start(LIMITS);

    await expect(change(LIMITS.replace('tier: ip-minute,', 'tier: ip-minut,'))).rejects.toThrow(
      /limits-\d+\.yaml:16:17 descriptors\[0\]: tier must be one of .*did you mean "ip-minute"/,
    );
    await expect(client.check('api', { remote_address: '192.0.2.1' })).resolves.toMatchObject({ overall_code: 'OK' });
  });
});
