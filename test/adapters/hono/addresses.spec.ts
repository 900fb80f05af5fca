import { byApiKey, rateLimit, type RateLimitOptions } from '@sluice/hono';
import { Hono, type Context } from 'hono';
import { warningCatcher } from '../../support/warnings.js';

const FORWARDED = { 'x-forwarded-for': '203.0.113.7' };

/** What servers pass to Hono, with a peer at this address. */
const environments: readonly [server: string, environment: (address: string) => object][] = [
  ['node-server', (remoteAddress) => ({ incoming: { socket: { remoteAddress } }, outgoing: quietResponse() })],
  ['a server around node-server', (remoteAddress) => ({ server: { incoming: { socket: { remoteAddress } } } })],
  ['Bun', (address) => ({ requestIP: () => ({ address }) })],
  ['Deno', (hostname) => ({ remoteAddr: { transport: 'tcp', hostname } })],
];

function quietResponse() {
  const nothing = () => undefined;
  return { statusCode: 200, once: nothing };
}

async function addressOf(
  environment: object,
  options: Partial<RateLimitOptions>,
  headers: Record<string, string> = FORWARDED,
) {
  const app = new Hono();
  let address: string | undefined;
  const key = ({ ip }: { ip: string | undefined }) => {
    address = ip;
    return 'all';
  };
  app.use(rateLimit({ key, limit: 5, window: '1m', ...options } as RateLimitOptions));
  app.get('/', (c) => c.text('served'));
  await app.request('/', { headers }, environment);
  return address;
}

describe.each(environments)('the address of a client on %s', (_server, environment) => {
  it('is the peer, whatever it forwards', async () => {
    expect(await addressOf(environment('198.51.100.9'), {})).toBe('198.51.100.9');
  });

  it('is what a proxy of the list has forwarded', async () => {
    const options = { trustProxy: ['10.0.0.0/8'] };

    expect([
      await addressOf(environment('10.1.2.3'), options),
      await addressOf(environment('198.51.100.9'), options),
      await addressOf(environment('10.1.2.3'), options, {}),
    ]).toEqual(['203.0.113.7', '198.51.100.9', '10.1.2.3']);
  });

  it('is what each limit reads of a request with two limits', async () => {
    const app = new Hono();
    const seen: unknown[] = [];
    const key = ({ ip }: { ip: string | undefined }) => {
      seen.push(ip);
      return 'all';
    };
    const byAddress = rateLimit({ limit: 1, window: '1m', trustProxy: ['10.0.0.0/8'], deny: ['203.0.113.9'] });
    app.use(
      rateLimit({ key, limit: 5, window: '1m' }),
      byAddress,
      rateLimit({ key, limit: 5, window: '1m', trustProxy: ['10.0.0.0/8'] }),
    );
    app.get('/', (c) => c.text('served'));
    const send = async (forwarded: string) =>
      (await app.request('/', { headers: { 'x-forwarded-for': forwarded } }, environment('10.1.2.3'))).status;

    const statuses = [
      await send('203.0.113.7'),
      await send('203.0.113.8'),
      await send('203.0.113.7'),
      await send('203.0.113.9'),
    ];

    expect(statuses).toEqual([200, 200, 429, 403]);
    expect(seen.slice(0, 2)).toEqual(['10.1.2.3', '203.0.113.7']);
  });

  it('is what `ip` reads', async () => {
    const ip: RateLimitOptions['ip'] = (c) => c.req.header('cf-connecting-ip');

    expect(await addressOf(environment('10.1.2.3'), { ip }, { 'cf-connecting-ip': '192.0.2.1' })).toBe('192.0.2.1');
  });
});

describe('the address of a client', () => {
  const warnings = warningCatcher();
  const limit = async (options: Partial<RateLimitOptions>, environment: object = {}) => {
    const app = new Hono();
    app.use(rateLimit({ limit: 1, window: '1m', ...options } as RateLimitOptions));
    app.get('/', (c) => c.text('served'));
    app.onError((_error, c) => c.text('failed', 500));
    const responses = [];
    for (let count = 0; count < 2; count += 1)
      responses.push(await app.request('/', { headers: FORWARDED }, environment));
    return responses.map(({ status }) => status);
  };

  it('is unknown on a server that does not tell it: all share a budget, which gives a warning', async () => {
    expect(await limit({})).toEqual([200, 429]);
    expect(warnings()).toEqual([['SLUICE_ADDRESS_UNREADABLE', expect.stringContaining('Hono: ip or trustProxy')]]);
  });

  it('is that of the proxy without trustProxy, which gives a warning', async () => {
    expect(await limit({}, { incoming: { socket: { remoteAddress: '10.1.2.3' } } })).toEqual([200, 429]);
    expect(warnings()).toEqual([
      ['SLUICE_FORWARDED_UNTRUSTED', expect.stringContaining('Fastify and Hono: trustProxy')],
    ]);
  });

  it('is unknown where `ip` returns null, as of a header that is missing', async () => {
    const ip = (c: Context) => c.req.raw.headers.get('cf-connecting-ip');

    expect(await addressOf({}, { ip }, {})).toBeUndefined();
  });

  it('gives no warning if the application says where it is', async () => {
    await limit({ trustProxy: ['10.0.0.0/8'] }, { incoming: { socket: { remoteAddress: '10.1.2.3' } } });
    await limit({ ip: () => '192.0.2.1' });

    expect(warnings()).toEqual([]);
  });

  it.each<[string, unknown, string]>([
    ['a promise', Promise.resolve('6.6.6.6'), 'a promise'],
    ['a number', 101_058_054, 'a number'],
  ])('is not %s of `ip`: the request goes to the error handler, and not past `deny`', async (_case, address, got) => {
    const app = new Hono();
    const errors: Error[] = [];
    const key = byApiKey({ from: () => 'acct' });
    const ip = (() => address) as never;
    app.use(rateLimit({ limit: 5, window: '1m', deny: ['6.6.6.6'], key, ip }));
    app.get('/', (c) => c.text('served'));
    app.onError((error, c) => {
      errors.push(error);
      return c.text('failed', 500);
    });

    const { status } = await app.request('/');

    expect(status).toBe(500);
    const message = `rateLimit: the function ip must return a string or undefined, got ${got}`;
    expect(errors).toMatchObject([{ name: 'UsageError', code: 'FUNCTION_FAILED', message }]);
  });

  it('is no rejection of `ip`, which does not end the process', async () => {
    const ip = (async () => Promise.reject(new Error('no address'))) as never;

    expect(await limit({ ip })).toEqual([500, 500]);
    // Jest fails a test with a rejection that nothing handles.
    await new Promise(setImmediate);
  });

  it.each([
    [{ trustProxy: true }, 'trustProxy must be an array'],
    [{ trustProxy: ['a'] }, 'trustProxy[0] must be'],
    [{ ip: 'x-real-ip' }, 'ip must be a function'],
    [{ ip: () => '192.0.2.1', trustProxy: [] }, 'ip cannot be combined with trustProxy: write one of them'],
  ])('stops the start for %p', (options, message) => {
    expect(() => rateLimit({ limit: 1, window: '1m', ...options } as never)).toThrow(message);
  });

  it('stops the start if the middleware is passed without a call', async () => {
    const app = new Hono();
    const errors: Error[] = [];
    app.use(rateLimit as never);
    app.onError((error, c) => {
      errors.push(error);
      return c.text('failed', 500);
    });
    await app.request('/');

    expect(errors).toMatchObject([{ message: expect.stringContaining('Call it: app.use(rateLimit({ … }))') }]);
  });
});
