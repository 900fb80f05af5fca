import { runClient, type ClientRun } from './client-run.js';

const names = ['ky', 'got', 'octokit'] as const;

describe('A client', () => {
  const runs = new Map<string, ClientRun>();

  beforeAll(async () => {
    // They wait at the same time.
    await Promise.all(names.map(async (name) => runs.set(name, await runClient(name))));
  });

  describe.each(names)('such as %s', (name) => {
    it('comes back by itself, and not before it is admitted', () => {
      const { report, answers } = runs.get(name)!;

      const limited = answers.filter(({ path }) => path === '/limited').map(({ status }) => status);
      expect(report.statuses).toEqual([200, 200]);
      expect(limited).toEqual([200, 429, 200]);
    });

    it('waits as long as it was told, and not two seconds more', () => {
      const { report, answers } = runs.get(name)!;
      const told = answers.find(({ status }) => status === 429)!.retryAfter! * 1_000;

      const [wait = 0, ...others] = report.waits;

      expect(others).toEqual([]);
      // A timer may be a millisecond early.
      expect(Math.ceil(wait) + 1).toBeGreaterThanOrEqual(told);
      expect(wait).toBeLessThanOrEqual(told + 2_000);
    });

    it('does not repeat what can never be admitted', () => {
      const { report, answers } = runs.get(name)!;

      expect(report.never).toBe(422);
      expect(answers.filter(({ path }) => path === '/never')).toEqual([
        { path: '/never', status: 422, retryAfter: undefined },
      ]);
    });
  });
});
