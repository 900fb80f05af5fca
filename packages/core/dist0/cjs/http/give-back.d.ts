/** Refunds when nobody is left to be told: a failure is a warning, and what was to be given back stays counted. */
export declare function giveBack(refund: () => Promise<unknown>): Promise<void>;
//# sourceMappingURL=give-back.d.ts.map