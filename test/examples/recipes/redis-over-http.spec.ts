import { createGate } from '../../../examples/recipes/redis-over-http.js';
import { startRedis, type RedisServer } from '../../support/redis.js';
import { startHttpFront } from './http-front.js';

const ok = () => new Response('hello');

describe('the recipe redis-over-http', () => {
  let redis: RedisServer;
  let front: Awaited<ReturnType<typeof startHttpFront>>;

  beforeAll(async () => {
    redis = await startRedis();
    front = await startHttpFront(redis.url);
  });

  afterAll(async () => {
    await front.close();
    await redis.stop();
  });

  it('admits five requests of a client that sends to two regions at the same time and forges its address', async () => {
    const regions = [createGate(front.url, 10_000), createGate(front.url, 10_000)];

    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, index) => {
        const headers = { 'x-forwarded-for': `203.0.113.${index}`, forwarded: `for=203.0.113.${index}` };
        const request = new Request('https://edge.example/', { headers });
        return regions[index % 2]!.gate.run(request, { ip: '192.0.2.1' }, ok);
      }),
    );

    expect(answers.filter((answer) => answer.ok).length).toBe(5);
    expect(answers.find((answer) => !answer.ok)!.headers.get('retry-after')).toMatch(/^(?:[1-5]\d|60)$/);
    expect(front.count()).toBeGreaterThan(0);
    for (const { store } of regions) await store.close();
  });

  it('counts each client apart, in Redis', async () => {
    const { store, gate } = createGate(front.url, 10_000);

    const decisions = [];
    for (const ip of ['192.0.2.7', '2001:db8::7']) {
      for (let count = 0; count < 6; count += 1) decisions.push(await gate.limiter.consume({ ip } as never));
    }

    expect(decisions.filter(({ allowed }) => allowed)).toHaveLength(10);
    expect(decisions.every(({ source }) => source === 'redis' || source === 'deny-cache')).toBe(true);
    await store.close();
  });

  it('limits in the process while the front is unavailable', async () => {
    const { store, gate } = createGate('http://127.0.0.1:1');

    const answers = [];
    for (let count = 0; count < 6; count += 1) {
      answers.push(await gate.run(new Request('https://edge.example/'), { ip: '192.0.2.2' }, ok));
    }

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429]);
    await store.close();
  });
});
