import { simulate } from './simulate.js';

/** The first seeds: six of each kind. */
const SEEDS = Array.from({ length: 60 }, (_, index) => index + 1);

describe('simulated fleets', () => {
  it('break no law', async () => {
    const broken: unknown[] = [];
    for (const seed of SEEDS) {
      const { kind, faults, problems } = await simulate(seed);
      if (problems.length > 0) broken.push({ seed, kind, faults, problems });
    }

    expect(broken).toEqual([]);
  });

  it('do the same again with the same seed', async () => {
    const [one, other] = [await simulate(40, { isTraced: true }), await simulate(40, { isTraced: true })];

    expect(one.requests).toBeGreaterThan(20);
    expect(one.story).toEqual(other.story);
  });
});
