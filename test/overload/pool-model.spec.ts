import { PRIORITIES } from '../../packages/overload/src/shed/priority.js';
import { runPool } from './pool-model.js';

const seeds = [1, 2, 3];

describe('a queue before a pool of ten connections with queries of 50 ms', () => {
  it.each([1.2, 2, 5, 12])('serves what is critical, and keeps the pool at work, at %d times the capacity', (load) => {
    for (const seed of seeds) {
      const { came, served, refused, goodput, calmAfter } = runPool({ load, seed });

      expect(served.critical / came.critical).toBeGreaterThan(0.99);
      expect(served.normal / came.normal).toBeGreaterThan(0.99);
      expect(refused.critical).toBe(0);
      expect(goodput).toBeGreaterThan(0.95);
      expect(calmAfter).toBeLessThan(1_000);
    }
  });

  it.each([0.2, 0.5, 0.9])('refuses nothing at %d of the capacity', (load) => {
    for (const seed of seeds) {
      const { came, served } = runPool({ load, seed });

      expect(served).toEqual(came);
    }
  });

  it('refuses nothing while the pool has room, of queries of 1 ms and of 500 ms', () => {
    for (const seed of seeds) {
      const { refused } = runPool({ load: 0.5, queries: [1, 1, 1, 500], seed });

      expect(refused).toEqual({ critical: 0, normal: 0, sheddable: 0 });
    }
  });

  it('refuses what waits for a pool that is stuck, and serves at once when it moves', () => {
    for (const seed of seeds) {
      const stuck = { at: 2_000, lasts: 10_000 };
      const { refusals, refused, servedAt } = runPool({ load: 0.8, seed, stuck, lasts: 20_000 });
      const [first] = refusals;
      const second = (start: number) => servedAt.filter((at) => at >= start && at < start + 1_000).length;

      // The target, and 300 ms.
      expect(first![0] - stuck.at).toBeLessThan(550);
      expect(Math.max(...refusals.map(([, waited]) => waited))).toBeLessThan(550);
      expect(refused.critical).toBe(0);
      expect(second(12_000)).toBeGreaterThan(150);
      // Nothing is refused five seconds after it moves.
      expect(refusals.filter(([at]) => at > 17_000)).toEqual([]);
    }
  });

  it('refuses nothing in shadow', () => {
    const { refused } = runPool({ load: 5, mode: 'shadow', seed: 1 });

    expect(PRIORITIES.map((priority) => refused[priority])).toEqual([0, 0, 0]);
  });
});
