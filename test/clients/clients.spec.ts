import { runClient, type ClientRun } from './client-run.js';

const names = ['ky', 'got', 'octokit'] as const;

describe('an HTTP client that retries', () => {
  const runs = new Map<string, ClientRun>();

  beforeAll(async () => {
    // In parallel, because each of them waits.
    await Promise.all(names.map(async (name) => runs.set(name, await runClient(name))));
  });

  describe.each(names)('such as %s', (name) => {
    it('is admitted at its first retry', () => {
      const { report, answers } = runs.get(name)!;

      const limited = answers.filter(({ path }) => path === '/limited').map(({ status }) => status);
      expect(report.statuses).toEqual([200, 200]);
      expect(limited).toEqual([200, 429, 200]);
    });

    it('waits for Retry-After, and at most two seconds more', () => {
      const { report, answers } = runs.get(name)!;
      const retryAfter = answers.find(({ status }) => status === 429)!.retryAfter! * 1_000;

      const [wait = 0, ...others] = report.waits;

      expect(others).toEqual([]);
      // A timer can fire a millisecond early.
      expect(Math.ceil(wait) + 1).toBeGreaterThanOrEqual(retryAfter);
      expect(wait).toBeLessThanOrEqual(retryAfter + 2_000);
    });

    it('does not retry a request that can never fit its limit', () => {
      const { report, answers } = runs.get(name)!;

      expect(report.never).toBe(422);
      expect(answers.filter(({ path }) => path === '/never')).toEqual([
        { path: '/never', status: 422, retryAfter: undefined },
      ]);
    });
  });
});
