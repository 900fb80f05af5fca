import { createLimiter, type Tier } from '@sluice/core';
import { redisStore } from '@sluice/redis';
import { patient } from '../support/patient.js';
import { startRedis, type RedisServer } from '../support/redis.js';
import { until } from '../support/until.js';
import { wireTo, type Wire } from '../support/wire.js';

let server: RedisServer;
let wire: Wire;

beforeAll(async () => {
  server = await startRedis();
  wire = await wireTo(server);
});

beforeEach(() => {
  jest.spyOn(process, 'emitWarning').mockImplementation();
});

afterEach(() => {
  jest.restoreAllMocks();
});

afterAll(async () => {
  await wire.close();
  await server.stop();
});

const hour = { limit: 100_000, window: '1h' } as const;
const key = (user: string) => user;
const rate: Tier<string> = { name: 'rate', key, ...hour };
const other: Tier<string> = { name: 'other', key, limit: 200_000, window: '1h' };
const bucket: Tier<string> = { name: 'bucket', key, algorithm: 'token-bucket', ...hour };
const log: Tier<string> = { name: 'log', key, algorithm: 'sliding-window-log', limit: 10_000, window: '1h' };
const work: Tier<string> = { name: 'work', key, algorithm: 'concurrency', limit: 10_000 };

/** How limiters send their checks, each in a form of its own. */
const forms: [form: string, ...tiers: Tier<string>[]][] = [
  ['one tier', rate],
  ['a token bucket', bucket],
  ['a log', log],
  ['two tiers', rate, other],
  ['permits', rate, work],
  ['other costs', { ...rate, cost: 2 }, bucket],
];

const replies: [reply: string, bytes: string][] = [
  ['one integer', '*1\r\n:1\r\n'],
  ['two ones', '*2\r\n:1\r\n:1\r\n'],
  ['five zeros', '*5\r\n:0\r\n:0\r\n:0\r\n:0\r\n:0\r\n'],
  ['a time alone', `*1\r\n:${Date.now() * 1_000}\r\n`],
  ['a time and twenty zeros', `*21\r\n:${Date.now() * 1_000}\r\n${':0\r\n'.repeat(20)}`],
  ['a time and a text', `*2\r\n:${Date.now() * 1_000}\r\n+OK\r\n`],
  ['a status', '+OK\r\n'],
  ['an integer', ':1\r\n'],
];

/** Every reply to checks of one form, and to the others those that look like an answer to several units. */
const cases = forms.flatMap(([form, ...tiers], index) =>
  replies
    .filter(([reply]) => index === 0 || reply === 'five zeros' || reply === 'a time and twenty zeros')
    .map(([reply, bytes]) => ({ form, reply, bytes, tiers })),
);

describe('redisStore', () => {
  it.each(cases)(
    'takes no decision from a foreign reply, and connects again: $form, $reply',
    async ({ bytes, tiers }) => {
      const store = redisStore({ url: wire.url }, patient);
      const limiter = createLimiter<string>({ store, tiers, denyCache: false });
      const ask = (round: number) =>
        Promise.all(Array.from({ length: 20 }, (_, user) => limiter.consume(`${round}-${user}`)));
      await store.ready();
      await ask(0);
      const before = wire.connections;

      wire.inject(bytes);
      const decisions = await ask(1);
      await until(async () => (await ask(2)).every(({ source }) => source === 'redis'));
      const after = wire.connections;
      await limiter.close();
      await store.close();

      expect(decisions.filter(({ allowed }) => !allowed)).toEqual([]);
      expect(decisions.some(({ degraded }) => degraded)).toBe(true);
      expect(after).toBe(before + 1);
    },
  );
});
