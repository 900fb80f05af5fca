import { app, gate } from '../../../examples/recipes/elysia.js';

const headers: Record<string, string>[] = [
  { 'x-forwarded-for': '203.0.113.1' },
  { forwarded: 'for=203.0.113.2' },
  { 'x-real-ip': '203.0.113.3' },
  { 'cf-connecting-ip': '203.0.113.4' },
  { 'x-http-method-override': 'OPTIONS' },
];

/** Bun's server, as far as the recipe uses it: it knows the peer. */
function behindPeer(address: string): void {
  (app as { server: unknown }).server = { requestIP: () => ({ address }) };
}

const send = (path = '/', init: RequestInit = {}) => app.handle(new Request(`http://localhost${path}`, init));

describe('the recipe elysia', () => {
  afterEach(async () => {
    await gate.limiter.reset({ ip: '192.0.2.1' });
    await gate.limiter.reset({ ip: '192.0.2.2' });
  });

  it('adds its headers to the answers of the application, and answers 429 with problem details', async () => {
    behindPeer('192.0.2.1');

    const answers = [];
    for (let count = 0; count < 6; count += 1) answers.push(await send());

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429]);
    expect(answers[0]!.headers.get('x-ratelimit-remaining')).toBe('4');
    expect(answers[5]!.headers.get('retry-after')).toMatch(/^(?:[1-5]\d|60)$/);
    expect(answers[5]!.headers.get('content-type')).toContain('application/problem+json');
    expect(await answers[0]!.text()).toBe('hello');
  });

  it('admits five requests of a client that forges its address, calls other routes and sends at the same time', async () => {
    behindPeer('192.0.2.1');

    const tries = [
      ...headers.map((each) => send('/', { headers: each })),
      send('/save', { method: 'POST' }),
      send('/SAVE/', { method: 'POST' }),
      send('/nowhere'),
      send('/', { method: 'HEAD' }),
    ];
    const answers = await Promise.all(tries);

    expect(answers.filter(({ status }) => status === 429)).toHaveLength(tries.length - 5);
  });

  it('keeps a budget for each client', async () => {
    behindPeer('192.0.2.1');
    for (let count = 0; count < 6; count += 1) await send();

    behindPeer('192.0.2.2');

    expect((await send()).status).toBe(200);
  });
});
