import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withRedis } from '../support/redis-store.js';
import { Fleet } from './fleet.js';
import { flooded, oneBudget } from './one-budget.js';

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
        expect(await flooded(fleet, { requests, limit, inFlight: IN_FLIGHT })).toEqual(oneBudget(limit));
      } finally {
        // The applications have no handler of the signal, and the service ends by itself.
        expect(await fleet.stop()).toEqual(expect.arrayContaining([null, 0]));
      }
    },
    TIMEOUT_MS,
  );
});
