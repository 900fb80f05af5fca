import { CALM, runLoop, type Scene } from './loop-model.js';

/** How many runs show what holds. */
interface Extent {
  /** As a part of the capacity. */
  readonly loads: readonly number[];
  readonly rushes: readonly number[];
  readonly overloads: readonly number[];
  /** Of runs that differ by chance alone. */
  readonly seeds: number;
  /** Of one pause each: how long, and at which load. */
  readonly pauses: readonly number[];
  readonly pausedLoads: readonly number[];
}

/** What most changes of the shedder break: `npm test` has it. */
export const SHORT: Extent = {
  loads: [1.2, 12],
  rushes: [12],
  overloads: [1.2],
  seeds: 1,
  pauses: [300, 3_000],
  pausedLoads: [0.2, 0.7],
};

export const LONG: Extent = {
  loads: [1.2, 5, 12],
  rushes: [1.2, 12],
  overloads: [1.1, 1.2, 1.3],
  seeds: 5,
  pauses: [300, 1_000, 1_500, 3_000],
  pausedLoads: [0.2, 0.4, 0.6, 0.7],
};

// Node accepts one connection in a turn of its loop since 20.3, and has accepted all before.
const ways = (['one', 'all'] as const).flatMap((accepts) =>
  (['new', 'kept'] as const).map((connections) => ({ accepts, connections })),
);

const firstOf = (seeds: number) => Array.from({ length: seeds }, (_, seed) => seed + 1);

/** Has Jest show what a shedder does in a modelled event loop. */
export function loopLaws({ loads, rushes, overloads, seeds, pauses, pausedLoads }: Extent): void {
  describe.each(ways)('a shedder in a loop that accepts $accepts, with $connections connections', (way) => {
    it.each(loads)('serves every critical request within a second, at %d times the capacity', async (load) => {
      const { came, served, goodput, calmAfter, silent } = await runLoop({ ...way, load });

      expect(served.critical / came.critical).toBeGreaterThan(0.994);
      expect(goodput).toBeGreaterThan(0.9);
      expect(calmAfter).toBeLessThan(500);
      expect(silent).toBe(0);
    });

    it.each(rushes)('answers in each second of a rush that begins in an idle process, at %d times', async (load) => {
      const { came, served, silent } = await runLoop({ ...way, load, calmLoad: 0.005 });

      expect(served.critical / came.critical).toBeGreaterThan(0.994);
      expect(silent).toBe(0);
    });

    it.each(overloads)('lets hardly anybody wait for 500 ms at %d times, and is calm soon after', async (load) => {
      const runs = await Promise.all(
        firstOf(seeds).map((seed) => runLoop({ ...way, load, critical: 0.2, normal: 0.4, seed })),
      );

      for (const { p99 } of runs) expect(p99).toBeLessThan(500);
      // A queue that stands at the end of a load is worked off at half of the capacity.
      expect(runs.filter(({ calmAfter }) => calmAfter > 500).length).toBeLessThanOrEqual(1);
    });

    it('refuses nothing below the capacity', async () => {
      const { came, served } = await runLoop({ ...way, load: 0.8 });

      expect(served).toEqual(came);
    });

    it('answers in each second of a rush that begins beside a pause', async () => {
      const lasts = 300;
      const starts = [CALM - lasts, CALM - 1, CALM + 200];
      const runs = await Promise.all(starts.map((at) => runLoop({ ...way, load: 4, pause: { at, lasts } })));

      expect(runs.map(({ silent }) => silent)).toEqual([0, 0, 0]);
    });

    it('is needed: without it hardly any request is served in time', async () => {
      const { goodput } = await runLoop({ ...way, load: 5, sheds: false });

      expect(goodput).toBeLessThan(0.2);
    });
  });

  const cases = pauses.flatMap((lasts) =>
    pausedLoads.flatMap((load) => (['new', 'kept'] as const).map((connections) => [lasts, load, connections] as const)),
  );

  describe('a shedder in a modelled event loop', () => {
    it.each<[string, Scene, number]>([
      ['requests wait for a database before their work', { load: 5, database: 50 }, 0.9],
      // Seeds whose rush let critical requests wait for too long.
      ['requests wait long for it', { load: 2, database: 200 }, 0.8],
      ['requests wait long for it, in another rush', { load: 2, database: 200, seed: 6 }, 0.8],
      ['all others are normal', { load: 5, normal: 100 }, 0.9],
      ['a request works for 1 ms', { load: 3, work: 1 }, 0.9],
      ['a request works for 20 ms', { load: 5, work: 20 }, 0.85],
    ])('serves every critical request within a second when %s', async (_case, scene, least) => {
      const { came, served, goodput, calmAfter } = await runLoop(scene);

      expect(served.critical / came.critical).toBeGreaterThan(0.994);
      expect(goodput).toBeGreaterThan(least);
      expect(calmAfter).toBeLessThan(1_000);
    });

    it('refuses sheddable requests before normal ones, and no critical one', async () => {
      const { came, refused } = await runLoop({ load: 2 });

      expect(refused.critical).toBe(0);
      expect(refused.sheddable / came.sheddable).toBeGreaterThan(5 * (refused.normal / came.normal));
    });

    it.each(cases)(
      'refuses nothing for one pause of %d ms at %d of the capacity, on %s connections',
      async (lasts, load, connections) => {
        const pause = { at: 7_000, lasts };
        const runs = await Promise.all(
          firstOf(seeds).map((seed) => runLoop({ connections, load, calmLoad: load, pause, seed })),
        );

        expect(runs.map(({ refused }) => refused.sheddable + refused.normal)).toEqual(runs.map(() => 0));
      },
    );
  });
}
