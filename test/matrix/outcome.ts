/** The part of the report of `jest --json` that the matrix reads. */
export interface JestReport {
  readonly testResults: readonly {
    /** The path of the spec. */
    readonly name: string;
    readonly status: string;
    readonly assertionResults: readonly {
      readonly status: string;
      readonly fullName: string;
    }[];
  }[];
}

export interface Outcome {
  /** Files. */
  readonly specs: number;
  readonly passed: number;
  readonly skipped: number;
  readonly failed: number;
  /** The tests that failed, with their files. */
  readonly failures: readonly string[];
  /** The tests that failed at first, and passed when their file ran alone. */
  readonly unsteady: readonly string[];
}

/** @param folder of the workspace that ran */
export function outcomeOf({ testResults }: JestReport, folder: string): Outcome {
  const tests = testResults.flatMap((spec) => testsOf(spec, folder));
  const count = (status: string) => tests.filter((test) => test.status === status).length;
  const failures = tests.filter((test) => test.status === 'failed').map(({ name }) => name);
  return {
    specs: testResults.length,
    passed: count('passed'),
    skipped: tests.length - count('passed') - count('failed'),
    failed: failures.length,
    failures,
    unsteady: [],
  };
}

function testsOf(spec: JestReport['testResults'][number], folder: string) {
  const file = fileOf(spec.name, folder);
  const tests = spec.assertionResults.map(({ status, fullName }) => ({ status, name: `${file}: ${fullName}` }));
  const isBroken = spec.status === 'failed' && tests.every(({ status }) => status !== 'failed');
  // A spec that could not run hides an unknown number of tests, so it counts as a failed one.
  return isBroken ? [...tests, { status: 'failed', name: `${file}: cannot run` }] : tests;
}

/** The files of the tests that failed. */
export function failedFiles({ failures }: Outcome): readonly string[] {
  return [...new Set(failures.map((each) => each.slice(0, each.indexOf(': '))))];
}

/** What holds after the failed files ran a second time, alone. */
export function afterRepeat(first: Outcome, second: Outcome): Outcome {
  return {
    ...first,
    passed: first.passed + first.failed - second.failed,
    failed: second.failed,
    failures: second.failures,
    unsteady: first.failures.filter((name) => !second.failures.includes(name)),
  };
}

function fileOf(path: string, folder: string): string {
  return path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : path;
}
