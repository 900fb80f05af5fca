import { memoryStore, redisStore } from '@sluice/core';
import { Redis } from 'ioredis';
import { startRedis, type RedisServer } from '../support/redis.js';
import type { Adapter } from './adapter.js';
import { costsAndPlans } from './suite/costs-and-plans.js';
import { decisions } from './suite/decisions.js';
import { denials } from './suite/denials.js';
import { failingFunctions } from './suite/failing-functions.js';
import { headers } from './suite/headers.js';
import { hostileInput } from './suite/hostile-input.js';
import { identities } from './suite/identities.js';
import { outage } from './suite/outage.js';
import { refunds } from './suite/refunds.js';
import { shadow } from './suite/shadow.js';
import { shaping } from './suite/shaping.js';
import { tiers } from './suite/tiers.js';
import { uncounted } from './suite/uncounted.js';
import type { World } from './world.js';

const scenarios: readonly ((world: World) => void)[] = [
  identities,
  tiers,
  headers,
  denials,
  uncounted,
  decisions,
  shadow,
  shaping,
  refunds,
  costsAndPlans,
  failingFunctions,
  hostileInput,
];

/** What happens when Redis is late has tests of its own: here a busy machine must not decide. */
const PATIENCE = '5s';

/** What every adapter does alike, in memory and on Redis, and without its Redis. */
export function adapterSuite(adapter: Adapter): void {
  describe(adapter.name, () => {
    beforeAll(() => {
      // Each warning is given once, by the test that happens to come first, and has specs of its own.
      jest.spyOn(process, 'emitWarning').mockReturnValue();
    });

    afterAll(() => jest.restoreAllMocks());

    describe('in memory', () => {
      for (const scenario of scenarios) scenario({ adapter, newStore: () => memoryStore() });
    });

    describe('on Redis', () => {
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

      for (const scenario of scenarios)
        scenario({ adapter, newStore: () => redisStore(client, { deadline: PATIENCE }) });
    });

    outage(adapter);
  });
}
