/** Tells the process that started jest how many tests passed, failed and were skipped. */
export default class CountReporter {
  /**
   * @param {unknown} _contexts
   * @param {Record<'numPassedTests' | 'numFailedTests' | 'numRuntimeErrorTestSuites' | 'numPendingTests' | 'numTodoTests', number>} results
   */
  onRunComplete(_contexts, results) {
    process.send?.({
      passed: results.numPassedTests,
      // A suite that could not run hides an unknown number of tests, so it counts as a failed one.
      failed: results.numFailedTests + results.numRuntimeErrorTestSuites,
      skipped: results.numPendingTests + results.numTodoTests,
    });
  }
}
