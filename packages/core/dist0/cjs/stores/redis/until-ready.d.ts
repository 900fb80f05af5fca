/** Asks until there is an answer. Rejects with what the last attempt said after ten seconds. */
export declare function untilReady(ask: () => Promise<unknown>): Promise<void>;
//# sourceMappingURL=until-ready.d.ts.map