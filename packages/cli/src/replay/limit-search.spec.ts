import * as fc from 'fast-check';
import { Trial } from '../limits/trial.js';
import { loggedRequest } from '../../../../test/support/logged-request.js';
import { Demand } from './demand.js';
import { searchOf } from './limit-search.js';
import type { ReplayedRequest, ReplayTier } from './replayed-request.js';

const { signal } = new AbortController();
const visits = fc.record({
  // A sliding window stores the times of at most 64 units, and estimates above.
  count: fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 60, max: 200 })),
  start: fc.nat(60_000),
  span: fc.constantFrom(0, 120_000),
});
/** What each client sends, evenly over a span: all together, or in two minutes. */
const logs = fc.array(visits, { minLength: 1, maxLength: 8 }).map((clients) => {
  const requests = clients.flatMap(({ count, start, span }, client) =>
    Array.from({ length: count }, (_, index) => [client, start + Math.floor((index * span) / count)] as const),
  );
  return requests.toSorted(([, one], [, other]) => one - other);
});
const algorithms = fc.constantFrom('sliding-window', 'fixed-window', 'token-bucket');

function demandOf(log: readonly (readonly [client: number, time: number])[]): Demand {
  const demand = new Demand({ kind: 'ip', lengths: [60_000], hasCosts: false, hasDetails: false });
  for (const [client, time] of log) {
    demand.add(loggedRequest({ ip: `10.0.0.${client}`, time }));
  }
  demand.measure();
  return demand;
}

/** Clients that a tier denies, by all requests in order of time. */
function deniedBy(demand: Demand, tier: ReplayTier): number {
  const trial = new Trial<ReplayedRequest>([tier]);
  const rows = Array.from({ length: demand.requests }, (_, row) => demand.requestAt(row));
  const denied = rows.filter((request) => !trial.decide(request, request.time, request.units).allowed);
  return new Set(denied.map(({ client }) => client)).size;
}

describe('a search for a limit', () => {
  it('finds the lowest that denies at most so many clients', async () => {
    await fc.assert(
      fc.asyncProperty(logs, algorithms, fc.nat(7), async (log, algorithm, most) => {
        const demand = demandOf(log);
        const tierOf = (limit: number) => ({ name: 'tier', algorithm, limit, window: '1m' }) as ReplayTier;
        const found = await searchOf(demand.selected, tierOf(1), signal).find(demand.clients, most);

        expect(deniedBy(demand, tierOf(found.limit))).toBe(found.denied);
        expect(found.denied).toBeLessThanOrEqual(most);
        const isLower = (limit: number) => limit > 0 && deniedBy(demand, tierOf(limit)) <= most;
        expect(isLower(found.limit - 1)).toBe(false);
      }),
    );
  });
});
