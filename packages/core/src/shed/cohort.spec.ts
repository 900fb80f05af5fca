import { cohortOf } from './cohort.js';

const clients = Array.from({ length: 10_000 }, (_, index) => `203.0.${index >> 8}.${index & 255}`);
const NOON = Date.UTC(2030, 0, 1, 12);

describe('cohortOf', () => {
  it('spreads clients over 100 cohorts', () => {
    const sizes = new Array<number>(100).fill(0);
    for (const client of clients) sizes[cohortOf(client, NOON)]! += 1;

    expect(Math.min(...sizes)).toBeGreaterThan(60);
    expect(Math.max(...sizes)).toBeLessThan(145);
  });

  it('changes the cohort of a client once a minute, for each at a time of its own', () => {
    const changes = clients.slice(0, 600).map((client) => {
      const cohorts = Array.from({ length: 61 }, (_, second) => cohortOf(client, NOON + second * 1_000));
      return cohorts.flatMap((each, second) => (second > 0 && each !== cohorts[second - 1] ? [second] : []));
    });

    expect(changes.every(({ length }) => length <= 1)).toBe(true);
    expect(changes.filter(({ length }) => length === 1).length).toBeGreaterThan(570);
    expect(new Set(changes.flat()).size).toBe(60);
  });

  it('lets every client in within 20 minutes while 9 of 10 are refused, but for one of eight', () => {
    const served = clients.slice(0, 1_000).filter((client) => {
      const minutes = Array.from({ length: 20 }, (_, minute) => cohortOf(client, NOON + minute * 60_000));
      return minutes.some((cohort) => cohort >= 90);
    });

    // 1 - 0.9 ** 20 = 0.88
    expect(served.length / 1_000).toBeCloseTo(0.88, 1);
  });
});
