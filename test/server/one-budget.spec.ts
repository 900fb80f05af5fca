import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withRedis } from '../support/redis-store.js';
import { Fleet } from './fleet.js';

const REQUESTS = 300;
const LIMIT = 100;
const IN_FLIGHT = 30;

describe('Express, ShouldRateLimit and POST /check in four processes', () => {
  const redis = withRedis();
  const folder = mkdtempSync(join(tmpdir(), 'sluice-fleet-'));

  afterAll(() => rmSync(folder, { recursive: true }));

  it('admit exactly the limit of one identity, and agree about what is left', async () => {
    const fleet = await Fleet.start(folder, redis.server.url, `limit: ${LIMIT}, window: 1h, algorithm: fixed-window`);
    try {
      const left = await fleet.flood('203.0.113.7', REQUESTS, IN_FLIGHT);
      const after = await fleet.left('203.0.113.7');
      const half = await fleet.flood('203.0.113.8', LIMIT / 2, IN_FLIGHT);
      const rest = await fleet.left('203.0.113.8');

      expect(left.toSorted((one, other) => one - other)).toEqual(Array.from({ length: LIMIT }, (_, units) => units));
      expect(after).toEqual([0, 0, 0]);
      expect(half).toHaveLength(LIMIT / 2);
      expect(rest).toEqual([LIMIT / 2, LIMIT / 2, LIMIT / 2]);
    } finally {
      // The applications have no handler of the signal, and the service ends by itself.
      expect(await fleet.stop()).toEqual(expect.arrayContaining([null, 0]));
    }
  });
});
