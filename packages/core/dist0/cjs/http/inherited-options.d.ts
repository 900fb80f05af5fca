/** Names of the options that a gate has from what stands above it, where it does not say itself. */
export declare const INHERITED_OPTIONS: readonly ["store", "prefix", "secret", "partition", "onStoreFailure", "share", "denyCache", "headers", "body", "onDenied"];
/**
 * Options of a gate, with those of what stands above it where it does not say itself. A limiter that is shared has a
 * store and the like of its own.
 */
export declare function inheritOptions<O extends object>(options: O, above: Readonly<Record<string, unknown>>): O;
//# sourceMappingURL=inherited-options.d.ts.map