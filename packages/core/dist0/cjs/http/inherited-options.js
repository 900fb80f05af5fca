"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.INHERITED_OPTIONS = void 0;
exports.inheritOptions = inheritOptions;
/** Options of a limiter that others of the same application can have as well, for they say nothing of its tiers. */
const OF_LIMITERS = ['store', 'prefix', 'secret', 'partition', 'onStoreFailure', 'share', 'denyCache'];
/** Options of a gate that others of the same application can have as well. */
const OF_GATES = ['headers', 'body', 'onDenied'];
/** Names of the options that a gate has from what stands above it, where it does not say itself. */
exports.INHERITED_OPTIONS = [...OF_LIMITERS, ...OF_GATES];
/**
 * Options of a gate, with those of what stands above it where it does not say itself. A limiter that is shared has a
 * store and the like of its own.
 */
function inheritOptions(options, above) {
    const names = 'limiter' in options && options.limiter !== undefined ? OF_GATES : exports.INHERITED_OPTIONS;
    const inherited = names.filter((name) => above[name] !== undefined).map((name) => [name, above[name]]);
    const said = Object.entries(options).filter(([, value]) => value !== undefined);
    return Object.fromEntries([...inherited, ...said]);
}
//# sourceMappingURL=inherited-options.js.map