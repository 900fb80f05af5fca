import * as fc from 'fast-check';
import type { Decision } from '../../../packages/core/src/index.js';
import { served, serve, TIERS, type Client, type Served } from './fleet.js';

const LONG = { longest: '49d' } as const;

/** Requests by the milliseconds before each, and their costs. */
const requests = fc.array(
  fc.record({ pause: fc.integer({ min: 0, max: 9_000 }), cost: fc.integer({ min: 1, max: 4 }) }),
  {
    minLength: 1,
    maxLength: 60,
  },
);
const cost = fc.integer({ min: 1, max: 5 });

/** No two units are told farther apart, in milliseconds, but by windows: of the slowest of these tiers. */
const STEP = 9_100;

const runs = { numRuns: 8 };

/** Empties a budget. */
function empty(shared: Served): void {
  for (let units = 0; units < 200 && shared.consume().allowed; units += 1);
}

function after(shared: Served, { pause, cost: units }: { readonly pause: number; readonly cost: number }): Decision {
  shared.clock.advance(pause);
  return shared.consume(units);
}

const fits = ({ outcomes }: Decision) => outcomes[0]!.fitsAfter!;

describe.each(TIERS)('A line of a %s', (_name, options) => {
  it('tells again no more requests than newcomers were admitted while somebody waits', () => {
    fc.assert(
      fc.property(
        cost,
        fc.integer({ min: 1, max: 40 }),
        fc.array(fc.integer({ min: 0, max: 120_000 }), { maxLength: 40 }),
        (each, count, later) => {
          const shared = served(options, LONG);
          empty(shared);
          const start = shared.clock();
          const clients: Client[] = [...Array.from({ length: count }, () => 0), ...later].map((at) => ({
            cost: each,
            at: start + at,
            denials: 0,
          }));

          serve(shared, clients);

          const toldAgain = clients.reduce((sum, { denials }) => sum + Math.max(0, denials - 1), 0);
          const admittedAtOnce = clients.filter(({ denials }) => denials === 0).length;
          expect(toldAgain).toBeLessThanOrEqual(admittedAtOnce);
        },
      ),
      runs,
    );
  });

  it('tells a wait that is no shorter than the exact one, and no longer than that or the bound', () => {
    fc.assert(
      fc.property(requests, fc.integer({ min: 1, max: 200 }), (sent, seconds) => {
        const shared = served(options, { longest: seconds * 1e3 });
        empty(shared);

        for (const each of sent) {
          const decision = after(shared, each);
          if (decision.allowed) continue;
          expect(decision.retryAfter).toBeGreaterThanOrEqual(fits(decision));
          expect(decision.retryAfter).toBeLessThanOrEqual(Math.max(fits(decision), seconds * 1e3));
        }
      }),
      runs,
    );
  });

  it('admits what the same tier admits without one, after the same exact wait', () => {
    fc.assert(
      fc.property(requests, (sent) => {
        const [lined, plain] = [served(options, { longest: '1m' }), served(options)];
        empty(lined);
        empty(plain);

        for (const each of sent) {
          const [one, other] = [after(lined, each), after(plain, each)];
          expect(one.allowed).toBe(other.allowed);
          expect(one.outcomes[0]!.remaining).toBe(other.outcomes[0]!.remaining);
          expect(one.allowed ? 0 : fits(one)).toBe(other.retryAfter);
        }
      }),
      runs,
    );
  });

  it('tells the same after its end has passed as if there had been none', () => {
    fc.assert(
      fc.property(cost, fc.integer({ min: 1, max: 30 }), (each, count) => {
        const [passed, none] = [served(options, LONG), served(options, LONG)];
        empty(passed);
        let end = passed.clock();
        for (let denied = 0; denied < count; denied += 1)
          end = Math.max(end, passed.clock() + passed.consume(each).retryAfter);
        // In whole windows, behind which each of both tiers begins alike; a day for that of a calendar.
        const start = end + 2 * 86_400_000;
        for (const shared of [passed, none]) {
          shared.clock.set(start);
          empty(shared);
        }

        expect(passed.consume(each).retryAfter).toBe(none.consume(each).retryAfter);
      }),
      runs,
    );
  });
});

/** Requests, and how far behind the end of a line the second half of them comes. */
const around = fc.record({ before: requests, behind: fc.integer({ min: 0, max: 90_000 }), after: requests });

describe.each(TIERS)('The end of a line of a %s', (_name, options) => {
  it('means nothing as soon as it has passed, whatever comes then', () => {
    fc.assert(
      fc.property(around, fc.integer({ min: 1, max: 600 }), ({ before, behind, after: later }, seconds) => {
        const [passed, none] = [
          served(options, { longest: seconds * 1e3 }),
          served(options, { longest: seconds * 1e3 }),
        ];
        empty(passed);
        for (let units = 0; units < 200 && none.consume().allowed; units += 1);
        none.clock.set(passed.clock());
        let end = passed.clock();
        for (const each of before) {
          const decision = after(passed, each);
          none.clock.set(passed.clock());
          // A denial changes nothing but the line, so that without it the other tier has the state and no line.
          if (decision.allowed) none.consume(each.cost);
          else end = Math.max(end, passed.clock() + decision.retryAfter + STEP * each.cost);
        }
        for (const shared of [passed, none]) shared.clock.set(end + behind);

        for (const each of later) {
          const [one, other] = [after(passed, each), after(none, each)];
          expect([one.allowed, one.retryAfter]).toEqual([other.allowed, other.retryAfter]);
        }
      }),
      runs,
    );
  });
});

describe('A line of units that come back together', () => {
  it.each(TIERS.filter(([name]) => name.startsWith('fixed')))(
    'tells no window more units than it has, a part of its first tenth apart: %s',
    (_name, options) => {
      fc.assert(
        fc.property(
          cost,
          fc.array(fc.integer({ min: 0, max: 3_000 }), { minLength: 2, maxLength: 60 }),
          (each, pauses) => {
            const shared = served(options, LONG);
            empty(shared);
            const { limit, period } = options as { readonly limit: number; readonly period?: string };
            const [window, tenth] = period === undefined ? [60_000, 6_000] : [86_400_000, 60_000];
            const told = pauses.flatMap((pause) => {
              shared.clock.advance(pause);
              const { allowed, retryAfter } = shared.consume(each);
              return allowed ? [] : [shared.clock() + retryAfter];
            });

            const windows = new Map<number, number>();
            for (const moment of told) {
              const begins = Math.floor(moment / window);
              windows.set(begins, (windows.get(begins) ?? 0) + each);
            }
            const distances = told.slice(1).map((moment, index) => moment - told[index]!);
            expect(Math.max(...windows.values(), 0)).toBeLessThanOrEqual(limit);
            expect(Math.min(...distances, Infinity)).toBeGreaterThanOrEqual((each * tenth) / limit - 1);
          },
        ),
        runs,
      );
    },
  );
});

describe('A line of units that come back one by one', () => {
  it.each(TIERS.filter(([name]) => !name.startsWith('fixed')))(
    'tells moments that are at least the pace of their cost apart until it begins again: %s',
    (_name, options) => {
      fc.assert(
        fc.property(
          cost,
          fc.array(fc.integer({ min: 0, max: 3_000 }), { minLength: 2, maxLength: 60 }),
          (each, pauses) => {
            const shared = served(options, LONG);
            empty(shared);
            const { limit } = options as { readonly limit: number };
            const step = 60_000 / (limit / each);
            const told = pauses.flatMap((pause) => {
              shared.clock.advance(pause);
              const { allowed, retryAfter } = shared.consume(each);
              return allowed ? [] : [shared.clock() + retryAfter];
            });

            // They are told in whole milliseconds, rounded up.
            const distances = told.slice(1).map((moment, index) => moment - told[index]!);
            expect(Math.min(...distances, Infinity)).toBeGreaterThanOrEqual(step - 1);
          },
        ),
        runs,
      );
    },
  );
});
