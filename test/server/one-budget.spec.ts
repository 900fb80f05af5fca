import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { redisPolicies } from '@sluice/policies';
import { withRedisStore } from '../support/redis-store.js';
import { until } from '../support/until.js';
import { Fleet } from './fleet.js';
import { flooded, oneBudget } from './one-budget.js';

const REQUESTS = 300;
const LIMIT = 100;
const IN_FLIGHT = 30;

describe('Express, ShouldRateLimit and POST /check in four processes', () => {
  const redis = withRedisStore();
  const folder = mkdtempSync(join(tmpdir(), 'sluice-fleet-'));
  let fleet: Fleet;

  beforeAll(async () => {
    fleet = await Fleet.start(folder, redis.server.url, `limit: ${LIMIT}, window: 1h, algorithm: fixed-window`);
  });

  afterAll(() => rmSync(folder, { recursive: true }));

  it('admit exactly the limit of one identity, and agree about what is left', async () => {
    expect(await flooded(fleet, { requests: REQUESTS, limit: LIMIT, inFlight: IN_FLIGHT })).toEqual(oneBudget(LIMIT));
  });

  it('have those of the service among the processes that read policies in Redis', async () => {
    const policies = redisPolicies(redis.store);

    await until(async () => (await policies.processes()).length >= 2);

    expect(await policies.processes()).toHaveLength(2);
  });

  it('end by themselves at SIGTERM where they are the service', async () => {
    const [first, second, ...services] = await fleet.stop();

    // The applications have no handler of the signal.
    expect([first, second]).toEqual([null, null]);
    expect(services).toEqual([0, 0]);
  });
});
