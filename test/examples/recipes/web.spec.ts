import * as kit from '../../../examples/recipes/sveltekit.js';
import { startRedis, type RedisServer } from '../../support/redis.js';

/** SvelteKit makes this module. */
jest.mock('$app/env', () => ({ building: false }), { virtual: true });

const forged: Record<string, string>[] = [
  {},
  { 'x-forwarded-for': '203.0.113.1' },
  { forwarded: 'for=203.0.113.2' },
  { 'cf-connecting-ip': '203.0.113.3' },
  { 'true-client-ip': '203.0.113.4' },
  { 'x-http-method-override': 'OPTIONS' },
  { 'if-none-match': '*' },
  { purpose: 'prefetch' },
];
const request = (ip: string, headers: Record<string, string> = {}, url = 'https://shop.example/items') =>
  new Request(url, { headers: { ...headers, 'x-real-ip': ip } });

/** Each as its framework calls it. frameworks.long.spec.ts builds applications of them. */
const calls = [
  [
    'nextjs',
    async (each: Request) => {
      const { GET } = await import('../../../examples/recipes/nextjs.js');
      return GET(each, { params: Promise.resolve({}) });
    },
  ],
  [
    'react-router',
    async (each: Request) => {
      const { limit } = await import('../../../examples/recipes/react-router.js');
      const args = { request: each } as Parameters<typeof limit>[0];
      return (await limit(args, async () => Response.json({ product: 'tea' }))) as Response;
    },
  ],
  [
    'sveltekit',
    async (each: Request) => {
      const event = { request: each, isSubRequest: false, getClientAddress: () => each.headers.get('x-real-ip')! };
      return kit.handle({ event, resolve: () => new Response('page') });
    },
  ],
] as const;

describe('the web recipes', () => {
  let redis: RedisServer;

  beforeAll(async () => {
    redis = await startRedis();
    Object.assign(process.env, { REDIS_URL: redis.url, REDIS_DEADLINE: '10s', ADDRESS_HEADER: 'x-real-ip' });
  });

  afterAll(async () => {
    for (const name of ['REDIS_URL', 'REDIS_DEADLINE', 'ADDRESS_HEADER']) delete process.env[name];
    const { store } = await import('../../../examples/recipes/nextjs.js');
    await store.close();
    await redis.stop();
  });

  it.each(calls)(
    '%s admits five requests of a client that forges its address and sends at the same time',
    async (_name, send) => {
      const answers = await Promise.all(forged.map((headers) => send(request('192.0.2.1', headers))));

      expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
      expect(answers.find(({ status }) => status === 429)!.headers.get('retry-after')).toMatch(/^(?:[1-5]\d|60)$/);
    },
  );

  it.each(calls)('%s keeps a budget for each client, in any spelling of its address', async (_name, send) => {
    const spellings = ['192.0.2.2', '::ffff:192.0.2.2', '192.0.2.2:443', '192.0.2.2', '::FFFF:192.0.2.2', '192.0.2.2'];

    const answers = await Promise.all(spellings.map((ip) => send(request(ip))));

    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
    expect((await send(request('192.0.2.3'))).status).toBe(200);
  });

  it('sveltekit counts no request that the application sends to itself', async () => {
    const event = { request: request('192.0.2.4'), isSubRequest: true, getClientAddress: () => '192.0.2.4' };

    for (let count = 0; count < 9; count += 1) await kit.handle({ event, resolve: () => new Response('page') });

    expect((await calls[2][1](request('192.0.2.4'))).headers.get('x-ratelimit-remaining')).toBe('4');
  });
});
