import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withRedis } from '../support/redis-store.js';
import { Fleet } from './fleet.js';

const REQUESTS = 10_000;
const LIMIT = 4_000;
const IN_FLIGHT = 200;
const TIMEOUT_MS = 300_000;

/** Of a window so long that no unit comes back while the spec runs. */
const tierOf = (algorithm: string, limit: number) => `limit: ${limit}, window: 90d, algorithm: ${algorithm}`;

describe('Express, ShouldRateLimit and POST /check in four processes', () => {
  const redis = withRedis();
  const folder = mkdtempSync(join(tmpdir(), 'sluice-fleet-'));

  beforeEach(() => redis.client.flushall());
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each([
    ['fixed-window', REQUESTS, LIMIT],
    ['sliding-window', REQUESTS / 4, LIMIT / 4],
    ['sliding-window-log', REQUESTS / 4, LIMIT / 4],
    ['token-bucket', REQUESTS / 4, LIMIT / 4],
  ])(
    'admit exactly the limit of one identity by %s, and agree about what is left',
    async (algorithm, requests, limit) => {
      const fleet = await Fleet.start(folder, redis.server.url, tierOf(algorithm, limit));
      try {
        const left = await fleet.flood('203.0.113.7', requests, IN_FLIGHT);
        const after = await fleet.left('203.0.113.7');
        const half = await fleet.flood('203.0.113.8', limit / 2, IN_FLIGHT);
        const rest = await fleet.left('203.0.113.8');

        expect(left.toSorted((one, other) => one - other)).toEqual(Array.from({ length: limit }, (_, units) => units));
        expect(after).toEqual([0, 0, 0]);
        expect(half).toHaveLength(limit / 2);
        expect(rest).toEqual([limit / 2, limit / 2, limit / 2]);
      } finally {
        // The applications have no handler of the signal, and the service ends by itself.
        expect(await fleet.stop()).toEqual(expect.arrayContaining([null, 0]));
      }
    },
    TIMEOUT_MS,
  );
});
