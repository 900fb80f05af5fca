import { afterRepeat, failedFiles, outcomeOf, type JestReport } from './outcome.js';

const REPORT: JestReport = {
  testResults: [
    {
      name: '/work/test/a.spec.ts',
      status: 'failed',
      assertionResults: [
        { status: 'passed', fullName: 'A passes' },
        { status: 'failed', fullName: 'A fails' },
        { status: 'pending', fullName: 'A is skipped' },
      ],
    },
    { name: '/work/test/b.spec.ts', status: 'failed', assertionResults: [] },
    {
      name: '/work/test/c.spec.ts',
      status: 'passed',
      assertionResults: [{ status: 'passed', fullName: 'C passes' }],
    },
  ],
};

describe('outcomeOf', () => {
  it('counts tests, and a spec that cannot run as a failed one', () => {
    expect(outcomeOf(REPORT, '/work')).toEqual({
      specs: 3,
      passed: 2,
      skipped: 1,
      failed: 2,
      failures: ['test/a.spec.ts: A fails', 'test/b.spec.ts: cannot run'],
      unsteady: [],
    });
  });
});

describe('failedFiles', () => {
  it('names each file once', () => {
    const [a] = REPORT.testResults;
    const twice = { ...a!, assertionResults: a!.assertionResults.map((each) => ({ ...each, status: 'failed' })) };

    expect(failedFiles(outcomeOf({ testResults: [twice] }, '/work'))).toEqual(['test/a.spec.ts']);
  });
});

describe('afterRepeat', () => {
  it('names the tests that fail no more, and counts those that still do', () => {
    const first = outcomeOf(REPORT, '/work');
    const second = outcomeOf({ testResults: [REPORT.testResults[1]!] }, '/work');

    expect(afterRepeat(first, second)).toEqual({
      ...first,
      passed: 3,
      failed: 1,
      failures: ['test/b.spec.ts: cannot run'],
      unsteady: ['test/a.spec.ts: A fails'],
    });
  });
});
