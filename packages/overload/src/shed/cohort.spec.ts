import { freshModules } from '../../../../test/support/fresh-modules.js';
import { createLimiter } from '../../../core/src/limiter/limiter.js';
import { cohortDigester, cohortOf as cohortBy } from './cohort.js';

const clients = Array.from({ length: 10_000 }, (_, index) => `203.0.${index >> 8}.${index & 255}`);
const NOON = Date.UTC(2030, 0, 1, 12);
const ofProcess = cohortDigester(undefined);
const cohortOf = (client: string, now: number) => cohortBy(client, now, ofProcess);

describe('cohortOf', () => {
  it('spreads clients over 100 cohorts', () => {
    const sizes = new Array<number>(100).fill(0);
    // The digester of a process is random, and would exceed these bounds in one run of a thousand.
    const digester = cohortDigester(
      createLimiter({ key: () => 'all', limit: 1, window: '1m', secret: 'a secret of 16 characters' }),
    );
    for (const client of clients) sizes[cohortBy(client, NOON, digester)]! += 1;

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

  it('is the same in all processes whose limiters share a secret, and another with another secret', () => {
    const limiterOf = (secret?: string) =>
      createLimiter<string>({ key: (client) => client, limit: 1, window: '1m', ...(secret && { secret }) });
    const cohortsOf = (limiter: object) =>
      clients.slice(0, 100).map((client) => cohortBy(client, NOON, cohortDigester(limiter)));

    const [own, peer, other, without] = [limiterOf('a'), limiterOf('a'), limiterOf('b'), limiterOf()].map(cohortsOf);

    expect(own).toEqual(peer);
    expect(alike(own!, other!)).toBeLessThan(10);
    expect(alike(own!, without!)).toBeLessThan(10);
    expect(without).toEqual(clients.slice(0, 100).map((client) => cohortOf(client, NOON)));
  });

  it('is another in a process that shares no secret, so that no client computes it', async () => {
    const own = clients.slice(0, 100).map((client) => cohortOf(client, NOON));
    freshModules();
    const { cohortDigester: digesterOfOther } = await import('./cohort.js');
    const ofOther = digesterOfOther(undefined);

    const others = clients.slice(0, 100).map((client) => cohortBy(client, NOON, ofOther));

    expect(alike(own, others)).toBeLessThan(10);
  });
});

function alike(some: readonly number[], others: readonly number[]): number {
  return some.filter((each, index) => each === others[index]).length;
}
