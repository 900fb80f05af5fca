/** A text of its own, to be kept: one that was cut from another holds on to all of it, such as a token to its header. */
export declare function unshared(text: string): string;
//# sourceMappingURL=unshared.d.ts.map