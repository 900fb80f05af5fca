import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { redisPolicies } from '@sluice/policies';
import { withRedisStore } from '../support/redis-store.js';
import { until } from '../support/until.js';
import { Fleet } from './fleet.js';

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
    const left = await fleet.flood('203.0.113.7', REQUESTS, IN_FLIGHT);
    const after = await fleet.left('203.0.113.7');
    const half = await fleet.flood('203.0.113.8', LIMIT / 2, IN_FLIGHT);
    const rest = await fleet.left('203.0.113.8');

    expect(left.toSorted((one, other) => one - other)).toEqual(Array.from({ length: LIMIT }, (_, units) => units));
    expect(after).toEqual([0, 0, 0]);
    expect(half).toHaveLength(LIMIT / 2);
    expect(rest).toEqual([LIMIT / 2, LIMIT / 2, LIMIT / 2]);
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
