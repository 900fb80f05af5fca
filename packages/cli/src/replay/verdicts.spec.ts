import * as fc from 'fast-check';
import { loggedRequest } from '../../../../test/support/logged-request.js';
import { Demand } from './demand.js';
import { LimiterStack, type ReplayLimiter } from './limiter-stack.js';
import { Verdicts } from './verdicts.js';

const { signal } = new AbortController();
const bursts = fc.array(
  fc.record({
    client: fc.nat(1),
    start: fc.nat(400),
    count: fc.oneof(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 60, max: 120 })),
    seconds: fc.integer({ min: 1, max: 150 }),
  }),
  { minLength: 1, maxLength: 8 },
);
const tier = fc.record({
  limit: fc.oneof(fc.integer({ min: 1, max: 90 }), fc.integer({ min: 65, max: 110 })),
  window: fc.constantFrom('1m', '2m', '1500ms', '30s'),
  algorithm: fc.constantFrom('sliding-window', 'sliding-window', 'fixed-window', 'sliding-window-log'),
});
const limiters = fc
  .array(tier, { minLength: 1, maxLength: 2 })
  .map((tiers) => [{ tiers: tiers.map((each, place) => ({ ...each, name: `tier ${place}` })) }] as ReplayLimiter[]);

type Log = readonly (readonly [client: number, second: number])[];

const SECONDS: Readonly<Record<string, number>> = { '1m': 60, '2m': 120, '1500ms': 3, '30s': 30 };

/**
 * Requests of one client at the beginning of some windows. An estimate counts those of the window before in full, so that
 * a client with little more than half of a limit in each is denied, and no other one is so near the bounds.
 */
const nearBounds = fc.record({ share: fc.integer({ min: 501, max: 599 }), windows: fc.integer({ min: 2, max: 4 }) });

function logNear([limiter]: readonly ReplayLimiter[], { share, windows }: { share: number; windows: number }): Log {
  const [first] = limiter!.tiers as unknown as readonly { readonly limit: number; readonly window: string }[];
  const { limit, window } = first!;
  const count = Math.ceil((limit * share) / 1e3);
  return Array.from({ length: windows }, (_, turn) =>
    Array.from({ length: count }, () => [2, turn * SECONDS[window]!] as const),
  ).flat();
}

function demandOf(log: Log): Demand {
  const demand = new Demand({ kind: 'ip', lengths: [], hasCosts: false, hasDetails: false });
  for (const [client, second] of log.toSorted(([, one], [, other]) => one - other)) {
    demand.add(loggedRequest({ ip: `10.0.0.${client}`, time: second * 1e3 }));
  }
  demand.measure();
  return demand;
}

/** Requests that limits deny if each is decided, as they are logged and spread over their seconds. */
function deniedOf(
  { table, requestAt }: { table: Demand['table']; requestAt: Demand['requestAt'] },
  of: ReplayLimiter[],
) {
  const [logged, spread] = [0, 1].map((place) => new LimiterStack(of, { firstRoute: 0, place: 10 + place }));
  const { times, size } = table;
  for (let row = 0; row < size; row += 1) {
    const second = times[row]!;
    const [first, end] = [times.indexOf(second), times.subarray(0, size).lastIndexOf(second) + 1];
    spread!.decide(requestAt(row), second + ((row - first + 0.5) / (end - first)) * 1e3, undefined);
    logged!.decide(requestAt(row), second, undefined);
  }
  return [logged!.denied, spread!.denied];
}

describe('verdicts', () => {
  it('are those of a replay that decides each request, also where clients far from a limit are not decided', async () => {
    await fc.assert(
      fc.asyncProperty(bursts, limiters, nearBounds, async (sent, candidate, near) => {
        const others = sent.flatMap(({ client, start, count, seconds }) =>
          Array.from({ length: count }, (_, index) => [client, start + Math.floor((index * seconds) / count)] as const),
        );
        const demand = demandOf([...others, ...logNear(candidate, near)]);
        const verdicts = new Verdicts(demand, { candidate, current: undefined, isWholeSeconds: true });
        await verdicts.decide(signal);

        const requestAt = (row: number) => demand.requestAt(row);
        const found = [verdicts.candidate.denied, verdicts.spread!.candidate.denied];
        expect(found).toEqual(deniedOf({ table: demand.table, requestAt }, candidate));
      }),
      { numRuns: 40 },
    );
  });
});
