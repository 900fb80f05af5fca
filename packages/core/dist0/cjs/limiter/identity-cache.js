"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.IdentityCache = void 0;
const identity_js_1 = require("../model/identity.js");
const recent_js_1 = require("../model/recent.js");
const unshared_js_1 = require("../model/unshared.js");
/** Applications have a few kinds; those of one that makes them up share what is left. */
const KINDS = 16;
/** Characters of the longest text that is remembered, so that nobody fills memory with long ones. */
const LONGEST = 256;
/** No identity has this kind. */
const ANY = '';
/**
 * Remembers something of the identities that came last. Nearly all have one part, by which they are found as it is: to
 * join text for each request takes longer than all else that is done with it.
 */
class IdentityCache {
    #size;
    #byKind = new Map();
    /** @param size identities of a kind that it holds at most */
    constructor(size) {
        this.#size = size;
    }
    get(key) {
        const kind = this.#kindOf(key);
        return this.#byKind.get(kind)?.get(textOf(kind, key));
    }
    set(key, value) {
        const kind = this.#kindOf(key);
        const text = textOf(kind, key);
        if (text.length > LONGEST)
            return;
        let values = this.#byKind.get(kind);
        if (values === undefined) {
            values = new recent_js_1.Recent(this.#size);
            this.#byKind.set((0, unshared_js_1.unshared)(kind), values);
        }
        values.set((0, unshared_js_1.unshared)(text), value);
    }
    #kindOf(key) {
        const { kind, parts } = typeof key === 'string' ? PLAIN : key;
        return parts.length > 1 || (this.#byKind.size > KINDS && !this.#byKind.has(kind)) ? ANY : kind;
    }
}
exports.IdentityCache = IdentityCache;
/** What text alone is an identity of. */
const PLAIN = { kind: 'key', parts: [''] };
function textOf(kind, key) {
    if (kind === ANY)
        return (0, identity_js_1.identityText)(key);
    return typeof key === 'string' ? key : key.parts[0];
}
//# sourceMappingURL=identity-cache.js.map