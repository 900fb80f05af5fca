import * as fc from 'fast-check';
import { SentAges } from './sent-ages.js';

const START = 1_700_000_000_000;
const HOUR = 3_600_000;

/** Slices of a process: of each the times that its requests have waited, and whether the loop idled. */
interface Traffic {
  readonly slices: readonly { readonly waits: readonly number[]; readonly isBusy?: boolean }[];
  /** What the clock of the proxy shows beyond ours. */
  readonly skew?: (slice: number) => number;
}

/** What the ages say after each slice of 100 ms. */
function delaysOf({ slices, skew = () => 0 }: Traffic): readonly number[] {
  const ages = new SentAges();
  let [now, busy] = [0, 0];
  return slices.map(({ waits, isBusy = true }, index) => {
    for (const wait of waits) ages.of(START + now + 50 - wait + skew(index), now + 50);
    now += 100;
    busy += isBusy ? 100 : 50;
    return ages.delay(now, () => busy);
  });
}

const calm = { waits: [2, 3], isBusy: false };
const wait = fc.integer({ min: 0, max: 5 });
const honest = fc.array(wait, { minLength: 1, maxLength: 5 });

describe('SentAges', () => {
  it('measures a queue in front of the process, whatever the clock of the proxy shows', () => {
    fc.assert(
      fc.property(fc.integer({ min: -24 * HOUR, max: 24 * HOUR }), (skew) => {
        const queue = Array.from({ length: 30 }, (_, index) => ({ waits: [2 + 75 * index, 9 + 75 * index] }));

        const delays = delaysOf({ slices: [calm, calm, ...queue, { waits: [40] }], skew: () => skew });

        expect(delays.slice(2, -1)).toEqual(queue.map((_, index) => 75 * index));
        expect(delays.at(-1)).toBe(38);
      }),
    );
  });

  it('says 0 while the loop idles, whatever is sent', () => {
    fc.assert(
      fc.property(fc.array(fc.array(fc.integer({ min: -HOUR, max: HOUR }), { maxLength: 5 })), (all) => {
        const delays = delaysOf({ slices: all.map((waits) => ({ waits, isBusy: false })) });

        expect(delays).toEqual(all.map(() => 0));
      }),
    );
  });

  it('is not raised by requests with old or repeated times, beside others of their slice', () => {
    const forged = fc.array(fc.integer({ min: 0, max: 1e9 }), { maxLength: 5 });
    fc.assert(
      fc.property(fc.array(fc.tuple(honest, forged), { minLength: 1 }), (all) => {
        const slices = all.map(([some, others]) => ({ waits: [...some, ...others] }));

        expect(Math.max(...delaysOf({ slices: [calm, ...slices] }))).toBeLessThanOrEqual(5);
      }),
    );
  });

  it('is not raised by a clock that is set, or by times of the future, by more than a second', () => {
    const jumps = fc.array(fc.tuple(honest, fc.constantFrom(-HOUR, -30_000, -2_000, 0, 2_000, 30_000, HOUR)), {
      minLength: 1,
      // In seconds without a slice that idles a jump could be a queue.
      maxLength: 9,
    });
    fc.assert(
      fc.property(jumps, (all) => {
        const slices = all.map(([waits]) => ({ waits }));

        expect(
          Math.max(...delaysOf({ slices: [calm, ...slices], skew: (index) => all[index - 1]?.[1] ?? 0 })),
        ).toBeLessThanOrEqual(5);
      }),
    );
  });

  it('knows a clock that was set as soon as the loop idles', () => {
    const shifted = Array.from({ length: 200 }, (_, index) => (index % 50 === 0 ? calm : { waits: [2] }));

    const delays = delaysOf({ slices: [calm, ...shifted], skew: (index) => (index === 0 ? 0 : -500) });

    expect(new Set(delays)).toEqual(new Set([0]));
  });

  it('forgets the shortest way after 10 minutes', () => {
    const slices = Array.from({ length: 6_100 }, (_, index) => ({ waits: [index === 0 ? 0 : 600] }));

    const delays = delaysOf({ slices });

    expect([delays[10], delays[5_000], delays.at(-1)]).toEqual([600, 600, 0]);
  });

  it('tells a request its own age, and 0 for a time that no queue explains', () => {
    const ages = new SentAges();
    const at = (now: number, age: number) => ages.of(START + now - age, now);
    at(50, 0);
    ages.delay(100, () => 0);

    expect([at(400, 300), at(400, 0), at(400, -300), at(400, 2_000), at(400, HOUR)]).toEqual([300, 0, 0, 0, 0]);
    expect(at(100_000, 59_000)).toBe(59_000);
    expect(at(100_000, 61_000)).toBe(0);
  });

  it('says 0 before anything is known, and after a slice without times', () => {
    const ages = new SentAges();

    expect(ages.of(START, 10)).toBe(0);
    expect(delaysOf({ slices: [calm, { waits: [300] }, { waits: [] }] })).toEqual([0, 298, 0]);
  });
});
