import { memoryStore, type Store } from '@sluice/core';
import { redisStore } from '@sluice/redis';
import { newAddress } from '../../support/identities.js';
import { startRedis, type RedisServer } from '../../support/redis.js';
import { limitFields, statusesOf } from '../../support/responses.js';
import { restart } from '../../support/restart.js';
import { signal } from '../../support/signal.js';
import type { TestResponse } from '../../support/site.js';
import { until } from '../../support/until.js';
import { within } from '../../support/within.js';
import type { Stack } from '../stack.js';
import { openSite, type StackSite } from '../world.js';
import { outageRoutes } from './outage-routes.js';

const DEADLINE_MS = 200;
/** The deadline, and the way of a response. */
const MAX_RESPONSE_MS = DEADLINE_MS + 450;

const outages: readonly {
  readonly name: string;
  begin(server: RedisServer): void;
  end(server: RedisServer): Promise<void>;
}[] = [
  { name: 'is killed', begin: ({ process }) => void process.kill('SIGKILL'), end: restart },
  {
    // Its connections stay open and carry nothing.
    name: 'freezes',
    begin: ({ process }) => void process.kill('SIGSTOP'),
    end: async ({ process }) => void process.kill('SIGCONT'),
  },
];

/** What an application does when its Redis goes and returns: `storeFailure` has what it answers meanwhile. */
export function outage(stack: Stack): void {
  let redis: RedisServer;

  beforeAll(async () => {
    redis = await startRedis();
  });

  afterAll(() => redis.stop());

  describe.each(outages)('an application whose Redis $name', (kind) => {
    let store: Store;
    let site: StackSite;
    let before: TestResponse;
    let long: TestResponse;

    beforeAll(async () => {
      const [reached, begun] = [signal(), signal()];
      store = redisStore({ url: redis.url }, { deadline: DEADLINE_MS });
      const routes = outageRoutes({
        alive: memoryStore(),
        onHandled: () => undefined,
        onLong() {
          reached.give();
          return begun.given;
        },
      });
      site = await openSite(stack, { store, routes });

      before = await fromRedis();
      const response = site.send({ path: '/long', from: newAddress() });
      await reached.given;
      kind.begin(redis);
      begun.give();
      long = await response;
    });

    afterAll(async () => {
      await site.close();
      await store.close();
    });

    /** The first response that Redis has counted. */
    async function fromRedis(): Promise<TestResponse> {
      let response: TestResponse | undefined;
      await until(async () => {
        response = await site.send({ path: '/local', from: newAddress() });
        return response.text === 'redis false';
      });
      return response!;
    }

    it('has counted in Redis before', () => {
      expect(limitFields(before)).toMatchObject({ 'x-ratelimit-limit': '6', 'ratelimit-policy': '"local";q=6;w=3600' });
    });

    it('answers a request in flight, and refunds nothing of it', () => {
      expect([long.status, long.text]).toEqual([200, 'redis 0']);
    });

    it.each([
      ['/local', 200],
      ['/allow', 200],
      ['/deny', 503],
    ])('C44 answers %s with %d within a bound', async (path, status) => {
      const response = await within(MAX_RESPONSE_MS, () => site.send({ path, from: newAddress() }));

      expect(response.status).toBe(status);
    });

    it('C44 counts in Redis again after the outage, and denies nothing', async () => {
      await kind.end(redis);

      const responses = [
        await fromRedis(),
        ...(await site.sendEach(['/deny', '/local'].map((path) => ({ path, from: newAddress() })))),
      ];

      expect(statusesOf(responses)).toEqual([200, 200, 200]);
      expect(responses[0]!.headers['x-ratelimit-limit']).toBe('6');
      expect(site.errors).toEqual([]);
    });
  });
}
