import { status } from '@grpc/grpc-js';
import { ServiceCertificates } from '../server/service-certificates.js';
import { withServers } from '../server/with-server.js';
import { entriesOf, LanguageClient, type Language, requestOf } from './language-client.js';

const LIMITS = `
version: 1
limiters:
  api:
    tiers:
      - { name: ip-minute, key: ip, limit: 10, window: 1m, algorithm: fixed-window }
      - { name: tenant-hour, key: tenant, limit: { pro: 5, otherwise: 2 }, window: 1h, algorithm: fixed-window }
      - { name: tried, key: tenant, limit: 1, window: 1h, mode: shadow }
      - { name: month, key: tenant, limit: 9, algorithm: fixed-window, period: month }
      - { name: odd, key: tenant, limit: 2, window: 90s }
extensions:
  server:
    identities: [tenant]
    receiptHeader: x-sluice-receipt
    descriptors:
      - { tier: ip-minute, from: [remote_address] }
      - { tier: tenant-hour, from: [tenant, plan], plan: plan }
      - { tier: tried, from: ['generic_key=trial', tenant] }
      - { tier: month, from: ['generic_key=month', tenant] }
      - { tier: odd, from: ['generic_key=odd', tenant] }
      - { limiter: api, from: [path], unlimited: true }
`;
const IP = { remote_address: '192.0.2.1' };
const TENANT = { tenant: 'acme', plan: 'pro' };
const TOKEN = 'a-token-of-the-tests';
const RATE_LIMIT = 'envoy.service.ratelimit.v3.RateLimitService';

/** What a client of the protocol in another language gets from the service. Call it in a `describe` block. */
export function protocolSuite(languageOf: () => Language): void {
  const start = withServers();
  const opened: LanguageClient[] = [];
  let certificates: ServiceCertificates;

  beforeAll(async () => {
    certificates = await ServiceCertificates.make();
  });
  afterEach(() => Promise.all(opened.splice(0).map((client) => client.close())));
  afterAll(() => certificates.remove());

  function connect(port: number, files?: readonly string[]): LanguageClient {
    const client = new LanguageClient(languageOf(), port, files);
    opened.push(client);
    return client;
  }

  async function serve(options?: Parameters<typeof start>[1]) {
    const served = await start(LIMITS, options);
    return { ...served, client: connect(served.server.ports.grpc!) };
  }

  it('reads the status of each descriptor, with its limit, what is left and when it is reset', async () => {
    const { client } = await serve();

    const reply = await client.check('api', { path: '/health' }, TENANT, IP);
    const odd = await client.check('api', { generic_key: 'odd', tenant: 'acme' });
    const month = await client.check('api', { generic_key: 'month', tenant: 'acme' });

    expect(reply).toMatchObject({
      overall_code: 'OK',
      statuses: [
        { code: 'OK' },
        {
          code: 'OK',
          current_limit: { name: 'tenant-hour', requests_per_unit: 5, unit: 'HOUR' },
          limit_remaining: 4,
          duration_until_reset: expect.stringMatching(/^3(600(\.0\d+)?|5\d\d(\.\d+)?)s$/),
        },
        { code: 'OK', current_limit: { name: 'ip-minute', requests_per_unit: 10, unit: 'MINUTE' }, limit_remaining: 9 },
      ],
    });
    expect(reply.statuses![0]).toEqual({ code: 'OK' });
    expect(reply).not.toHaveProperty('raw_body');
    expect(reply).not.toHaveProperty('dynamic_metadata');
    expect(reply).not.toHaveProperty('quota');
    expect(odd.statuses![0]!.current_limit).toEqual({ name: 'odd', requests_per_unit: 2 });
    expect(month.statuses![0]!.current_limit).toMatchObject({ unit: 'MONTH' });
  });

  it('reads the headers, the body and the metadata of a denial, which charges nothing', async () => {
    const { client } = await serve();
    for (let count = 0; count < 5; count += 1) await client.check('api', TENANT);

    const over = await client.check('api', IP, TENANT);
    const after = await client.check('api', IP);

    expect(over).toMatchObject({
      overall_code: 'OVER_LIMIT',
      statuses: [
        { code: 'OK', limit_remaining: 10 },
        { code: 'OVER_LIMIT', duration_until_reset: expect.stringMatching(/^\d+(\.\d+)?s$/) },
      ],
      dynamic_metadata: { reason: 'denied', denied_by: ['tenant-hour'], retry_after_ms: expect.any(Number) },
    });
    expect(over.statuses![1]).not.toHaveProperty('limit_remaining');
    const headers = Object.fromEntries(over.response_headers_to_add!.map(({ key, value }) => [key, value]));
    expect(headers).toMatchObject({
      'content-type': 'application/problem+json',
      'cache-control': 'no-store',
      'retry-after': expect.stringMatching(/^\d+$/),
      'x-ratelimit-limit': '5',
      'x-ratelimit-remaining': '0',
    });
    expect(JSON.parse(Buffer.from(over.raw_body!, 'base64').toString())).toMatchObject({
      status: 429,
      'violated-policies': ['tenant-hour'],
    });
    expect(after.statuses![0]!.limit_remaining).toBe(9);
  });

  it('sends hits_addend and limits of requests and of descriptors', async () => {
    const { client } = await serve();
    const send = async (request: object) => (await client.call({ request: { domain: 'api', ...request } })).reply!;
    const [ip, tenant] = [entriesOf(IP), entriesOf(TENANT)];

    const spent = await send({
      hits_addend: 3,
      descriptors: [{ entries: tenant }, { entries: ip, hits_addend: '2' }],
    });
    const read = await send({ descriptors: [{ entries: ip, hits_addend: '0' }] });
    const lower = await send({ descriptors: [{ entries: ip, limit: { requests_per_unit: 4, unit: 'UNIT_MINUTE' } }] });
    const refused = await client.call({
      request: { domain: 'api', descriptors: [{ entries: ip, limit: { requests_per_unit: 4, unit: 'UNIT_HOUR' } }] },
    });

    expect(spent.statuses!.map(({ limit_remaining }) => limit_remaining)).toEqual([2, 8]);
    expect(read.statuses![0]!.limit_remaining).toBe(8);
    expect(lower.statuses![0]).toMatchObject({ current_limit: { requests_per_unit: 4 }, limit_remaining: 1 });
    expect(refused).toMatchObject({ code: status.INVALID_ARGUMENT, details: expect.stringContaining('got HOUR') });
  });

  it('is admitted by a shadow tier, and counted', async () => {
    const { client } = await serve();
    const trial = { generic_key: 'trial', tenant: 'acme' };
    await client.check('api', trial);

    const reply = await client.check('api', trial);

    expect(reply).toMatchObject({ overall_code: 'OK', statuses: [{ code: 'OK', current_limit: { name: 'tried' } }] });
    expect(reply).not.toHaveProperty('response_headers_to_add');
  });

  it('gets a receipt for the service behind Envoy, which settles by it', async () => {
    const { client, post } = await serve();

    const { request_headers_to_add: added } = await client.check('api', TENANT);
    const settled = await post('/settle', { receipt: added![0]!.value, cost: 4 });

    expect(added).toEqual([{ key: 'x-sluice-receipt', value: expect.stringMatching(/^s1\./) }]);
    expect(settled.body).toEqual({ charged: 3 });
  });

  it.each<readonly [string, object, number, RegExp]>([
    ['no domain', requestOf('', IP), status.INVALID_ARGUMENT, /^domain is missing/],
    ['another domain', requestOf('apy', IP), status.INVALID_ARGUMENT, /^domain must be a limiter of .* which has api/],
    ['no descriptor', { domain: 'api' }, status.INVALID_ARGUMENT, /^descriptors are missing/],
    ['no rule', requestOf('api', IP, { user: 'ada' }), status.INVALID_ARGUMENT, /takes descriptors\[1\] \(user\)/],
    [
      'too many descriptors',
      requestOf('api', ...Array.from({ length: 33 }, () => IP)),
      status.RESOURCE_EXHAUSTED,
      /at most 32/,
    ],
    ['a message that is too large', requestOf('x'.repeat(70_000)), status.RESOURCE_EXHAUSTED, /larger/i],
  ])('gets the code and the reason of a refusal: %s', async (_what, request, code, details) => {
    const { client } = await serve();

    const answer = await client.call({ request });

    expect(answer).toMatchObject({ code, details: expect.stringMatching(details) });
  });

  it('is admitted exactly as often as the limit says when it sends 64 calls together', async () => {
    const { client } = await serve();

    const answers = await client.calls({ request: requestOf('api', IP), times: 64 });

    const left = answers.flatMap(({ reply }) =>
      reply!.overall_code === 'OK' ? [reply!.statuses![0]!.limit_remaining ?? 0] : [],
    );
    expect(left.toSorted((one, other) => one - other)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  it('reads and watches the health of the service, which ends before its port', async () => {
    const { client, server } = await serve();
    const checkOf = (service: string) => client.call({ method: 'Check', request: { service } });

    const answers = [await checkOf(''), await checkOf(RATE_LIMIT), await checkOf('other')];
    const next = connect(server.ports.grpc!).watch(RATE_LIMIT);
    const first = await next();
    await server.close(5_000);
    const last = [await next(), await next()];

    expect(answers).toMatchObject([
      { reply: { status: 'SERVING' } },
      { reply: { status: 'SERVING' } },
      { code: status.NOT_FOUND, details: expect.stringContaining('no such service') },
    ]);
    expect([first, ...last]).toEqual([{ watched: 'SERVING' }, { watched: 'NOT_SERVING' }, { watched: null }]);
  });

  it('is refused without the token of the service', async () => {
    const { client } = await serve({ tokens: [TOKEN] });
    const request = requestOf('api', IP);

    const without = await client.call({ request });
    const wrong = await client.call({ request, headers: { authorization: 'Bearer another-token-of-others' } });
    const right = await client.call({ request, headers: { authorization: `Bearer ${TOKEN}` } });

    expect([without.code, wrong.code]).toEqual([status.UNAUTHENTICATED, status.UNAUTHENTICATED]);
    expect(without.details).toContain('authorization: Bearer TOKEN');
    expect(right.reply).toMatchObject({ overall_code: 'OK' });
  });

  it('calls over TLS, and refuses a service of another authority', async () => {
    const { server } = await start(LIMITS, { tls: certificates.tls });
    const port = server.ports.grpc!;
    const { authority, stranger } = certificates;
    const request = requestOf('api', IP);

    const secure = await connect(port, [authority.path, '', '']).call({ request });
    const refused = await connect(port, [stranger.path, '', '']).call({ request });

    expect(secure.reply).toMatchObject({ overall_code: 'OK' });
    expect(refused).toMatchObject({ code: status.UNAVAILABLE });
  });

  it('needs a certificate of the authority that the service asks for', async () => {
    const { server } = await start(LIMITS, { tls: certificates.mutual });
    const { authority, client, strangeClient } = certificates;
    const request = requestOf('api', IP);
    const callWith = (cert: string, key: string) =>
      connect(server.ports.grpc!, [authority.path, cert, key]).call({ request });

    const known = await callWith(client.cert, client.key);
    const unknown = await callWith(strangeClient.cert, strangeClient.key);
    const without = await callWith('', '');

    expect(known.reply).toMatchObject({ overall_code: 'OK' });
    expect([unknown.code, without.code]).toEqual([status.UNAVAILABLE, status.UNAVAILABLE]);
  });
}
