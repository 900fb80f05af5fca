/**
 * Calls a user's function. What it throws becomes a rejection, as of one that is async: the other functions are still
 * called and awaited.
 *
 * @param owner whose function it is, for the UsageError FUNCTION_FAILED
 */
export declare function attempt<S>(owner: string, name: string, call: (subject: S) => unknown, subject: S): unknown;
//# sourceMappingURL=attempt.d.ts.map