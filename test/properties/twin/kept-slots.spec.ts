import { Redis } from 'ioredis';
import { definePolicy } from '../../../packages/core/src/algorithms/policy-options.js';
import type { Claim } from '../../../packages/core/src/model/claim.js';
import { startRedis, type RedisServer } from '../../support/redis.js';
import { RedisTwin } from './redis-twin.js';

describe('a sliding window whose slot number has only zero bits', () => {
  let server: RedisServer;
  let client: Redis;

  beforeAll(async () => {
    server = await startRedis();
    client = new Redis(server.path);
  });

  afterAll(async () => {
    client.disconnect();
    await server.stop();
  });

  it('starts with a time to live and counts on', async () => {
    const policy = definePolicy({ limit: 10, window: '1s' });
    const claim: Claim = {
      tier: 'tier',
      key: 'key',
      policy,
      cost: 1,
      shadow: false,
      countDenied: false,
      record: undefined,
    };
    const twin = new RedisTwin(client);
    const second = 2 ** 13 * 500_000;

    const replies = [];
    for (const microseconds of [5, 700, 999_999])
      replies.push(await twin.consume([{ claims: [claim], peek: false }], second * 1e6 + microseconds));

    expect(replies.map(({ result }) => result[0]![0]!.remaining)).toEqual([9, 8, 7]);
    expect(replies.map(({ expiry }) => expiry.get('key'))).toEqual(Array(3).fill((second + 2) * 1000));
    expect(await client.get('key')).toBe('3');
  });
});
