import * as fc from 'fast-check';
import { status } from '@grpc/grpc-js';
import { readRequest } from '../../packages/server/src/grpc/rate-limit-request.js';
import { writeResponse, type RateLimitResponse } from '../../packages/server/src/grpc/rate-limit-response.js';
import { MessageWriter } from '../../packages/server/src/protobuf/message-writer.js';
import { entriesOf, methodOf, type RateLimitReply } from './rate-limit-client.js';
import { withServers } from './with-server.js';

const LIMITS = `
version: 1
limiters:
  api:
    tiers:
      - { name: ip-minute, key: ip, limit: 10, window: 1m, algorithm: fixed-window }
      - { name: tenant-hour, key: tenant, limit: 5, window: 1h, algorithm: fixed-window }
      - { name: tried, key: tenant, limit: 1, window: 1h, mode: shadow }
      - { name: month, key: tenant, limit: 9, algorithm: fixed-window, period: month }
      - { name: odd, key: tenant, limit: 9, window: 90s }
      - { name: logged, key: tenant, limit: 9, window: 1m, algorithm: sliding-window-log }
extensions:
  server:
    identities: [tenant]
    receiptHeader: X-Sluice-Receipt
    descriptors:
      - { tier: ip-minute, from: [remote_address] }
      - { tier: ip-minute, from: [masked_remote_address] }
      - { tier: tenant-hour, from: [tenant] }
      - { tier: tried, from: ['generic_key=trial', tenant] }
      - { tier: month, from: ['generic_key=month', tenant] }
      - { tier: odd, from: ['generic_key=odd', tenant] }
      - { tier: logged, from: ['generic_key=log', tenant] }
      - { limiter: api, from: [path], unlimited: true }
`;
const IP = { remote_address: '192.0.2.1' };

describe('ShouldRateLimit', () => {
  const start = withServers();

  it('answers every descriptor in its place, with its limit, what is left and when it is reset', async () => {
    const { client } = await start(LIMITS);

    const reply = await client.check('api', { path: '/health' }, { tenant: 'acme' }, IP);

    expect(reply.overall_code).toBe('OK');
    expect(reply.statuses).toMatchObject([
      { code: 'OK', current_limit: null, limit_remaining: 0, duration_until_reset: null, quota: null },
      {
        code: 'OK',
        current_limit: { name: 'tenant-hour', requests_per_unit: 5, unit: 'HOUR' },
        limit_remaining: 4,
        duration_until_reset: { seconds: expect.any(Number) },
      },
      { code: 'OK', current_limit: { name: 'ip-minute', requests_per_unit: 10, unit: 'MINUTE' }, limit_remaining: 9 },
    ]);
    expect(reply.response_headers_to_add.map(({ key }) => key)).toEqual([
      'x-ratelimit-limit',
      'x-ratelimit-remaining',
      'x-ratelimit-reset',
    ]);
    expect(reply).toMatchObject({ dynamic_metadata: null, quota: null, raw_body: Buffer.alloc(0) });
  });

  it('charges no descriptor when one of them is over its limit, and says how long it takes', async () => {
    const { client } = await start(LIMITS);
    for (let count = 0; count < 5; count += 1) await client.check('api', { tenant: 'acme' });

    const over = await client.check('api', IP, { tenant: 'acme' });
    const after = await client.check('api', IP);

    expect(over.overall_code).toBe('OVER_LIMIT');
    expect(over.statuses).toMatchObject([
      { code: 'OK', limit_remaining: 10 },
      { code: 'OVER_LIMIT', limit_remaining: 0 },
    ]);
    const { seconds } = over.statuses[1]!.duration_until_reset!;
    expect(seconds).toBeGreaterThan(3_500);
    expect(seconds).toBeLessThanOrEqual(3_600);
    expect(after.statuses[0]!.limit_remaining).toBe(9);
    const headers = Object.fromEntries(over.response_headers_to_add.map(({ key, value }) => [key, value]));
    expect(headers).toMatchObject({ 'content-type': 'application/problem+json', 'cache-control': 'no-store' });
    expect(Number(headers['retry-after'])).toBeGreaterThan(3_500);
    expect(JSON.parse(over.raw_body.toString())).toMatchObject({ status: 429, 'violated-policies': ['tenant-hour'] });
    expect(over.dynamic_metadata?.fields).toMatchObject({
      reason: { stringValue: 'denied' },
      denied_by: { listValue: { values: [{ stringValue: 'tenant-hour' }] } },
    });
  });

  it('takes hits_addend as the cost: of the request, or of a descriptor, where 0 reads', async () => {
    const { client } = await start(LIMITS);
    const tenant = entriesOf({ tenant: 'acme' });
    const ip = entriesOf(IP);

    const reply = await client.send({
      domain: 'api',
      hits_addend: 3,
      descriptors: [{ entries: tenant }, { entries: ip, hits_addend: { value: 2 } }],
    });
    const read = await client.send({ domain: 'api', descriptors: [{ entries: ip, hits_addend: { value: 0 } }] });
    const never = await client.send({ domain: 'api', hits_addend: 99, descriptors: [{ entries: tenant }] });

    expect(reply.statuses.map(({ limit_remaining }) => limit_remaining)).toEqual([2, 8]);
    expect(read.statuses[0]!.limit_remaining).toBe(8);
    expect(never).toMatchObject({ overall_code: 'OVER_LIMIT', statuses: [{ duration_until_reset: null }] });
  });

  it('takes the limit of a descriptor in the place of that of its tier, if its unit is the window', async () => {
    const { client } = await start(LIMITS);
    const entries = entriesOf(IP);
    const limit = (requests_per_unit: number, unit: number) => ({
      domain: 'api',
      descriptors: [{ entries, limit: { requests_per_unit, unit } }],
    });

    const first = await client.send(limit(2, 2));
    const month = entriesOf({ generic_key: 'month', tenant: 'acme' });
    const ofMonth = await client.send({
      domain: 'api',
      descriptors: [{ entries: month, limit: { requests_per_unit: 3, unit: 5 } }],
    });

    expect(first.statuses[0]).toMatchObject({ current_limit: { requests_per_unit: 2 }, limit_remaining: 1 });
    expect(ofMonth.statuses[0]).toMatchObject({
      current_limit: { requests_per_unit: 3, unit: 'MONTH' },
      limit_remaining: 2,
    });
    await expect(client.send(limit(2, 3))).rejects.toThrow(
      /INVALID_ARGUMENT: descriptors\[0\]: the limit of a descriptor must have the window of its tier "ip-minute", which has 60 s, got HOUR/,
    );
  });

  it('answers OK for a shadow tier that would deny, and counts it', async () => {
    const { client } = await start(LIMITS);
    const trial = { generic_key: 'trial', tenant: 'acme' };
    await client.check('api', trial);

    const reply = await client.check('api', trial);

    expect(reply).toMatchObject({
      overall_code: 'OK',
      statuses: [{ code: 'OK', current_limit: { name: 'tried' }, limit_remaining: 0 }],
    });
    expect(reply.response_headers_to_add).toEqual([]);
  });

  it('has no unit for a window that Envoy has none for', async () => {
    const { client } = await start(LIMITS);

    const { statuses } = await client.check('api', { generic_key: 'odd', tenant: 'acme' });

    expect(statuses[0]!.current_limit).toEqual({ name: 'odd', requests_per_unit: 9, unit: 'UNKNOWN' });
  });

  it('counts two descriptors of one tier both, or none of them', async () => {
    const { client } = await start(LIMITS);
    const other = { remote_address: '192.0.2.2' };
    for (let count = 0; count < 10; count += 1) await client.check('api', other);

    const over = await client.check('api', IP, other);
    const both = await client.check('api', IP, { masked_remote_address: '198.51.100.0/24' });

    expect(over.overall_code).toBe('OVER_LIMIT');
    expect(both.statuses.map(({ limit_remaining }) => limit_remaining)).toEqual([9, 9]);
  });

  it('charges nothing of a request whose last descriptor is wrong', async () => {
    const { client } = await start(LIMITS);

    const wrong = {
      entries: entriesOf({ generic_key: 'log', tenant: 'globex' }),
      limit: { requests_per_unit: 20_000, unit: 'UNIT_MINUTE' },
    };
    const descriptors = [{ entries: entriesOf({ tenant: 'acme' }) }, wrong];
    await expect(client.send({ domain: 'api', descriptors })).rejects.toThrow(
      /INVALID_ARGUMENT: limit\.requests_per_unit: .* from 1 to 10000, got 20000/,
    );

    expect((await client.check('api', { tenant: 'acme' })).statuses[0]!.limit_remaining).toBe(4);
  });

  it('gives the receipt to the service behind Envoy, which settles by it', async () => {
    const { client, post } = await start(LIMITS);

    const { request_headers_to_add } = await client.check('api', { tenant: 'acme' });
    const [header] = request_headers_to_add;
    const settled = await post('/settle', { receipt: header!.value, cost: 4 });

    expect(header!.key).toBe('x-sluice-receipt');
    expect(settled.body).toEqual({ charged: 3 });
    expect((await client.check('api', { tenant: 'acme' })).statuses[0]!.limit_remaining).toBe(0);
  });

  it('skips fields that it does not know', async () => {
    const { client } = await start(LIMITS);
    const { requestSerialize } = methodOf('ShouldRateLimit');
    const known = (requestSerialize as (request: object) => Buffer)({
      domain: 'api',
      descriptors: [{ entries: entriesOf(IP) }],
    });
    const unknown = new MessageWriter().text(90, 'later').unsigned(91, 7).double(92, 0.5).bytes();

    const bytes = await client.sendBytes(Buffer.concat([unknown, known, unknown]));

    const { responseDeserialize } = methodOf('ShouldRateLimit');
    expect((responseDeserialize as (reply: Buffer) => RateLimitReply)(bytes)).toMatchObject({ overall_code: 'OK' });
  });

  it.each<readonly [string, object, keyof typeof status, RegExp]>([
    ['no domain', { descriptors: [{ entries: entriesOf(IP) }] }, 'INVALID_ARGUMENT', /domain is missing/],
    [
      'another domain',
      { domain: 'apy', descriptors: [{ entries: entriesOf(IP) }] },
      'INVALID_ARGUMENT',
      /domain must be a limiter of .*, which has api, got "apy"/,
    ],
    ['no descriptor', { domain: 'api' }, 'INVALID_ARGUMENT', /descriptors are missing/],
    [
      'descriptors that no rule takes',
      {
        domain: 'api',
        descriptors: [
          { entries: entriesOf(IP) },
          { entries: entriesOf({ user: 'ada', path: '/' }) },
          { entries: entriesOf({ generic_key: 'x' }) },
        ],
      },
      'INVALID_ARGUMENT',
      /no rule of the limiter "api" takes descriptors\[1\] \(user, path\), descriptors\[2\] \(generic_key\): add \{ tier: …, from: \[user, path\] \}/,
    ],
    [
      'an entry without a key',
      { domain: 'api', descriptors: [{ entries: [{ value: 'x' }] }] },
      'INVALID_ARGUMENT',
      /has no key/,
    ],
    [
      '33 descriptors',
      { domain: 'api', descriptors: Array.from({ length: 33 }, () => ({ entries: entriesOf(IP) })) },
      'RESOURCE_EXHAUSTED',
      /at most 32/,
    ],
    [
      '17 entries',
      { domain: 'api', descriptors: [{ entries: Array.from({ length: 17 }, () => ({ key: 'a', value: 'b' })) }] },
      'RESOURCE_EXHAUSTED',
      /at most 16 entries/,
    ],
    [
      'a cost that no number of JavaScript holds',
      { domain: 'api', descriptors: [{ entries: entriesOf(IP), hits_addend: { value: 2 ** 60 } }] },
      'INVALID_ARGUMENT',
      /descriptors\[0\]: hits_addend must be at most 9007199254740991/,
    ],
    [
      'units that come back without a receipt',
      { domain: 'api', descriptors: [{ entries: entriesOf(IP), hits_addend: { value: 2 }, is_negative_hits: true }] },
      'INVALID_ARGUMENT',
      /descriptors\[0\]: is_negative_hits is not taken.*receiptHeader.*POST \/refund/,
    ],
    ['270 000 bytes', { domain: 'x'.repeat(270_000) }, 'RESOURCE_EXHAUSTED', /270004|larger/i],
  ])('refuses %s with a code and a reason', async (_what, request, code, details) => {
    const { client } = await start(LIMITS);

    const error = await client.send(request).catch((each: unknown) => each);

    expect(error).toMatchObject({ code: status[code], details: expect.stringMatching(details) });
  });
});

describe('The codec of ShouldRateLimit', () => {
  const { requestSerialize, responseDeserialize } = methodOf('ShouldRateLimit');
  const text = fc.string({ maxLength: 40, unit: 'grapheme' });

  it('reads every request as protobufjs has written it', () => {
    const entry = fc.record({ key: text.filter((key) => key !== ''), value: text });
    const descriptor = fc.record({
      entries: fc.array(entry, { maxLength: 4 }),
      limit: fc.option(fc.record({ requests_per_unit: fc.nat(), unit: fc.integer({ min: 0, max: 6 }) })),
      hits_addend: fc.option(fc.record({ value: fc.maxSafeNat() })),
    });
    const request = fc.record({
      domain: text,
      descriptors: fc.array(descriptor, { maxLength: 4 }),
      hits_addend: fc.nat(),
    });

    fc.assert(
      fc.property(request, (given) => {
        const read = readRequest((requestSerialize as (value: object) => Buffer)(given), { descriptors: 4 });

        expect(read).toEqual({
          domain: given.domain,
          hitsAddend: given.hits_addend,
          descriptors: given.descriptors.map(({ entries, limit, hits_addend }) => ({
            entries,
            hits: hits_addend?.value,
            limit: limit === null ? undefined : { requestsPerUnit: limit.requests_per_unit, unit: limit.unit },
          })),
        });
      }),
    );
  });

  it('writes every response so that protobufjs reads it', () => {
    const header = fc.tuple(text, text);
    const response: fc.Arbitrary<RateLimitResponse> = fc.record({
      overallCode: fc.constantFrom(1, 2),
      statuses: fc.array(
        fc.record({
          code: fc.constantFrom(1, 2),
          currentLimit: fc.option(
            fc.record({ name: text, requestsPerUnit: fc.nat(), unit: fc.integer({ min: 0, max: 7 }) }),
            { nil: undefined },
          ),
          limitRemaining: fc.nat(),
          untilReset: fc.option(fc.nat(), { nil: undefined }),
        }),
        { maxLength: 3 },
      ),
      responseHeaders: fc.array(header, { maxLength: 3 }),
      requestHeaders: fc.array(header, { maxLength: 3 }),
      body: text,
      metadata: fc.dictionary(
        text,
        fc.oneof(text, fc.boolean(), fc.double({ noNaN: true }), fc.array(text, { maxLength: 2 })),
        { maxKeys: 3, noNullPrototype: true },
      ),
    });

    fc.assert(
      fc.property(response, (given) => {
        const read = (responseDeserialize as (bytes: Buffer) => RateLimitReply)(writeResponse(given));

        expect(read.statuses.map(({ limit_remaining }) => limit_remaining)).toEqual(
          given.statuses.map(({ limitRemaining }) => limitRemaining),
        );
        expect(
          read.statuses.map(({ duration_until_reset: until }) => until && until.seconds * 1e3 + until.nanos / 1e6),
        ).toEqual(given.statuses.map(({ untilReset }) => untilReset ?? null));
        expect(read.statuses.map(({ current_limit: limit }) => limit && [limit.name, limit.requests_per_unit])).toEqual(
          given.statuses.map(({ currentLimit: limit }) =>
            limit === undefined ? null : [limit.name, limit.requestsPerUnit],
          ),
        );
        expect(read.response_headers_to_add.map(({ key, value }) => [key, value])).toEqual([...given.responseHeaders]);
        expect(read.request_headers_to_add.map(({ key, value }) => [key, value])).toEqual([...given.requestHeaders]);
        expect(read.raw_body.toString()).toBe(given.body);
        expect(Object.keys(read.dynamic_metadata?.fields ?? {}).toSorted()).toEqual(
          Object.keys(given.metadata).toSorted(),
        );
      }),
    );
  });

  it('fails for no bytes in another way than by its own errors', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        let failure = 'MalformedMessage';
        try {
          readRequest(bytes, { descriptors: 8 });
        } catch (error) {
          failure = (error as Error).name;
        }
        expect(failure).toMatch(/^(MalformedMessage|OversizedRequest|UnfitRequest)$/);
      }),
    );
  });
});
