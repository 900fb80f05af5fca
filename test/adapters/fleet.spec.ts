import autocannon, { type Result } from 'autocannon';
import { Redis } from 'ioredis';
import { redisStore } from '@sluice/core';
import { compile, startProgram, type Program } from '../support/program.js';
import { startRedis, type RedisServer } from '../support/redis.js';
import { defineLimiter, limits } from './programs/limiter.mjs';

const STACKS = ['Express 5', 'Fastify 5', 'Nest on Express'];

describe('three servers on Express, Fastify and Nest with one limiter', () => {
  let redis: RedisServer;
  let client: Redis;
  let servers: Program[];

  const startServers = (costs: readonly number[]) =>
    Promise.all(
      STACKS.map((stack, index) =>
        startProgram('test/adapters/programs/serve.mjs', [stack, redis.url, String(costs[index])]),
      ),
    );

  beforeAll(async () => {
    await compile('express', 'fastify', 'nestjs');
    redis = await startRedis();
    client = new Redis(redis.port);
    servers = await startServers([1, 1, 1]);
  }, 60_000);

  beforeEach(() => client.flushall());

  afterAll(async () => {
    await Promise.all(servers.map((server) => server.stop()));
    client.disconnect();
    await redis.stop();
  });

  const loadAll = (key: string) => Promise.all(servers.map((server) => load(server, key)));

  it('admit exactly the limit of a key together', async () => {
    const loads = await loadAll('ada');

    expect(sum(loads.map((result) => count(result, 200)))).toBe(limits.key);
    expect(sum(loads.map((result) => count(result, 429)))).toBe(3 * REQUESTS - limits.key);
  });

  it('admit exactly the limit of an address, because a denied request charges no tier', async () => {
    const [first, second] = [await loadAll('ada'), await loadAll('grace')];

    expect(sum(first.map((result) => count(result, 200)))).toBe(limits.key);
    expect(sum(second.map((result) => count(result, 200)))).toBe(limits.address - limits.key);
  });

  it('spend exactly the limit with a cost for each server', async () => {
    const costs = [1, 2, 3];
    const costly = await startServers(costs);

    const loads = await Promise.all(costly.map((server) => load(server, 'ada')));

    await Promise.all(costly.map((server) => server.stop()));
    expect(sum(loads.map((result, index) => count(result, 200) * costs[index]!))).toBe(limits.key);
  });

  it('store the keys of one limiter in Redis', async () => {
    const limiter = defineLimiter(redisStore(client, { deadline: '5s' }));
    await limiter.consume({ ip: '127.0.0.1', headers: { 'x-api-key': 'ada' } });
    const keys = await keysIn(client);
    await client.flushall();

    await loadAll('ada');

    expect(keys).toHaveLength(2);
    expect(await keysIn(client)).toEqual(keys);
  });

  it('send the same headers', async () => {
    const sent = [];
    for (const server of servers) {
      const { headers } = await fetch(urlOf(server), { headers: { 'x-api-key': 'ada' } });
      sent.push([headers.get('x-ratelimit-limit'), headers.get('x-ratelimit-remaining')]);
    }

    expect(sent).toEqual([
      ['250', '249'],
      ['250', '248'],
      ['250', '247'],
    ]);
  });
});

/** More at each server than all of them admit. */
const REQUESTS = 300;

function urlOf({ started: port }: Program): string {
  return `http://127.0.0.1:${Number(port)}`;
}

async function load(server: Program, key: string): Promise<Result> {
  const headers = { 'x-api-key': key };
  // autocannon checks this often whether it is done.
  const result = await autocannon({ url: urlOf(server), connections: 20, amount: REQUESTS, headers, sampleInt: 100 });
  expect([result.errors, result.requests.total]).toEqual([0, REQUESTS]);
  return result;
}

function count({ statusCodeStats }: Result, status: number): number {
  return statusCodeStats?.[`${status}`]?.count ?? 0;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

async function keysIn(client: Redis): Promise<string[]> {
  return (await client.keys('*')).toSorted();
}
