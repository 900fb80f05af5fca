/**
 * Warns by `process.emitWarning`, once for each code: what is wrong at every request is worth a line, and no more.
 *
 * @param code its section in docs/reference/warnings.md
 */
export declare function warn(code: `SLUICE_${string}`, text: string): void;
//# sourceMappingURL=warning.d.ts.map