import { memoryStore, rateLimit, redisStore, type RateLimitOptions } from '@sluice/express';
import type { GateTier } from '@sluice/core';
import type { Request } from 'express';
import { Redis } from 'ioredis';
import { startRedis, type RedisServer } from '../../support/redis.js';
import { limitFields } from './fields.js';
import { served, versions } from './frameworks.js';
import { HELD, policies } from './policies.js';
import { siteOpener } from './site.js';

/** How far a moment that is told may be from another one, in seconds: both clocks go on while a trace runs. */
const APART = 2;

const mixed = [1, 0, 2, 3, 1, 6, 1, 1, 0, 2];

/** Never leaves nothing of five units: only then is told when there is one more. */
const spaced = [1, 0, 6, 2, 3, 4, 0];

const windows = [
  { limit: HELD, window: '100d' },
  { limit: 50, window: '300d' },
];

describe.each(versions)('On %s', (_version, express) => {
  const open = siteOpener();
  let server: RedisServer;
  let client: Redis;

  beforeAll(async () => {
    server = await startRedis();
    client = new Redis(server.port);
  });

  afterAll(async () => {
    client.disconnect();
    await server.stop();
  });

  const trace = async (options: RateLimitOptions, costs: readonly number[]) => {
    const site = await open(served(express, rateLimit(options)));
    const answers = await site.askEach(costs.map((cost) => ({ headers: { 'X-Cost': `${cost}` } })));
    return answers.map((answer) => ({ status: answer.status, ...limitFields(answer) }));
  };

  it.each(policies.filter(([name]) => name !== 'fixed-window'))(
    'C40 a trace of a %s is byte for byte the same in memory and on Redis where no moment is near enough to be told',
    async (name, tier) => {
      const { algorithm } = tier;
      const long = algorithm === 'multi-window' ? { algorithm, windows } : { algorithm, limit: HELD, window: '350d' };
      const options = {
        tiers: [{ ...long, name: `${name}-long` } as GateTier<Request>],
        headers: ['draft-11'],
        cost: ({ headers }: Request) => Number(headers['x-cost']),
      } satisfies RateLimitOptions;

      const inMemory = await trace({ ...options, store: memoryStore() }, spaced);
      const onRedis = await trace({ ...options, store: redisStore(client, { deadline: '5s' }) }, spaced);

      expect(JSON.stringify(onRedis)).toBe(JSON.stringify(inMemory));
      expect(onRedis.map(({ status }) => status)).toEqual([200, 200, 422, 200, 429, 429, 200]);
    },
  );

  it.each(policies)(
    'C40 a trace of a %s has the same headers in memory and on Redis, but for the moment they were made at',
    async (name, tier) => {
      const options = {
        tiers: [{ ...tier, name } as GateTier<Request>],
        headers: ['x-ratelimit', 'draft-11'],
        cost: ({ headers }: Request) => Number(headers['x-cost']),
        // It answers a higher cost with what a lower one has to wait.
        denyCache: false,
      } satisfies RateLimitOptions;

      const inMemory = await trace({ ...options, store: memoryStore() }, mixed);
      const onRedis = await trace({ ...options, store: redisStore(client, { deadline: '5s' }) }, mixed);

      expect(onRedis.map(bytes)).toEqual(inMemory.map(bytes));
      for (const [index, answer] of onRedis.entries()) {
        for (const [field, seconds] of Object.entries(moments(answer))) {
          expect(Math.abs(seconds - moments(inMemory[index]!)[field]!)).toBeLessThanOrEqual(APART);
        }
      }
    },
  );
});

/** What is told, without the numbers that depend on the second. */
function bytes(answer: Record<string, string | number>): object {
  const { 'x-ratelimit-reset': _reset, 'retry-after': wait, ratelimit = '', ...rest } = answer;
  return { ...rest, waits: wait !== undefined, ratelimit: String(ratelimit).replace(/;t=\d+/g, ';t=') };
}

function moments(answer: Record<string, string | number>): Record<string, number> {
  const times = Array.from(String(answer['ratelimit']).matchAll(/;t=(\d+)/g), ([, t], index) => [
    `t${index}`,
    Number(t),
  ]);
  return {
    reset: Number(answer['x-ratelimit-reset']),
    wait: Number(answer['retry-after'] ?? 0),
    ...Object.fromEntries(times),
  };
}
