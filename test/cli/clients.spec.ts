import { createLimiter, redisStore, type Limiter, type RedisStore, type Tier } from '@sluice/core';
import { Redis } from 'ioredis';
import { startRedis, type RedisServer } from '../support/redis.js';
import { documentOf, sluice, withConfig } from './sluice.js';

interface Subject {
  readonly user: string;
}

interface TierDocument {
  readonly tier: string;
  readonly fitsAt: number;
  readonly readAt: number;
  readonly shadow: boolean;
  readonly allowed: boolean;
  readonly used: number;
  readonly limit: number;
  readonly key: string;
  readonly terms: { readonly form: string };
  readonly recorded: readonly string[];
}

const window = '2s';
/** Every algorithm and form of state. */
const policies = [
  { name: 'fixed', algorithm: 'fixed-window', limit: 10, window },
  { name: 'log', limit: 10, window },
  { name: 'slots', limit: 100, window },
  { name: 'strict', limit: 100, window, strict: true },
  { name: 'stamps', algorithm: 'sliding-window-log', limit: 10, window },
  { name: 'bucket', algorithm: 'token-bucket', limit: 4, window, burst: 10 },
  { name: 'meter', algorithm: 'leaky-bucket', limit: 4, window, burst: 10 },
  { name: 'queue', algorithm: 'leaky-bucket', limit: 4, window, queue: 9 },
  {
    name: 'windows',
    algorithm: 'multi-window',
    windows: [
      { limit: 10, window },
      { limit: 90, window: '20s' },
    ],
  },
  { name: 'shadowed', limit: 10, window, mode: 'shadow' },
] as const;

let server: RedisServer;
let admin: Redis;
let store: RedisStore;

beforeAll(async () => {
  server = await startRedis();
  admin = new Redis(server.port);
  store = redisStore({ url: server.url }, { deadline: '5s' });
  await store.ready();
});

beforeEach(() => admin.flushall());

afterAll(async () => {
  await store.close();
  admin.disconnect();
  await server.stop();
});

const limiters: Limiter<Subject>[] = [];

function limiterOf(tier: (typeof policies)[number]): Limiter<Subject> {
  const limiter = createLimiter<Subject>({
    store,
    tiers: [{ key: ({ user }: Subject) => user, ...tier } as Tier<Subject>],
  });
  limiters.push(limiter);
  return limiter;
}

/** A configuration with tiers for users, each in a limiter of its own. */
function configOf(tiers: readonly object[], code = ''): string {
  return `import { createLimiter, byIp, byApiKey } from ${JSON.stringify(new URL('../../packages/core/dist/esm/index.js', import.meta.url).href)};
export const store = redisStore({ url: '${server.url}' }, { deadline: '5s' });
const key = ({ user }) => user;
export const limiters = ${JSON.stringify(tiers)}.map((tier) => createLimiter({ store, key, ...tier }));
${code}`;
}

async function redisTime(): Promise<number> {
  const [seconds, microseconds] = (await admin.time()) as unknown as [string, string];
  return Number(seconds) * 1e3 + Number(microseconds) / 1e3;
}

describe('sluice explain', () => {
  it('names the millisecond at which the next request of a client fits, for every algorithm', async () => {
    const tiers = policies.map((tier) => ({ tier, limiter: limiterOf(tier) }));
    for (const { limiter } of tiers) {
      for (;;) {
        const { outcomes } = await limiter.consume({ user: 'ada' }, { cost: 2 });
        if (!outcomes[0]!.allowed) break;
      }
    }
    const run = await withConfig(configOf(policies), (file) =>
      sluice(['explain', 'key', 'ada', '--cost', '2', '--json', '--config', file]),
    );
    const {
      allowed,
      deniedBy,
      tiers: explained,
    } = documentOf(run) as {
      allowed: boolean;
      deniedBy: string[];
      tiers: TierDocument[];
    };
    const outcomes = await Promise.all(
      explained.map(async ({ tier, fitsAt }) => {
        const { limiter } = tiers.find((each) => each.tier.name === tier)!;
        for (;;) {
          const {
            outcomes: [peeked],
          } = await limiter.peek({ user: 'ada' }, { cost: 2 });
          // Redis has decided before this. It fits within the last millisecond.
          const now = await redisTime();
          if (now < fitsAt - 1 && peeked!.allowed) return `${tier} fits too soon`;
          if (now >= fitsAt) break;
        }
        const {
          outcomes: [outcome],
        } = await limiter.consume({ user: 'ada' }, { cost: 2 });
        return outcome!.allowed ? 'admitted' : `${tier} does not fit`;
      }),
    );

    expect(run).toMatchObject({ code: 1, stderr: '' });
    expect(allowed).toBe(false);
    expect(explained).toHaveLength(policies.length);
    expect(deniedBy).toHaveLength(policies.length - 1);
    expect(outcomes).toEqual(policies.map(() => 'admitted'));
  });
});
