import { identityText } from '../model/identity.js';
import { Recent } from '../model/recent.js';
import { unshared } from '../model/unshared.js';
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
export class IdentityCache {
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
            values = new Recent(this.#size);
            this.#byKind.set(unshared(kind), values);
        }
        values.set(unshared(text), value);
    }
    #kindOf(key) {
        const { kind, parts } = typeof key === 'string' ? PLAIN : key;
        return parts.length > 1 || (this.#byKind.size > KINDS && !this.#byKind.has(kind)) ? ANY : kind;
    }
}
/** What text alone is an identity of. */
const PLAIN = { kind: 'key', parts: [''] };
function textOf(kind, key) {
    if (kind === ANY)
        return identityText(key);
    return typeof key === 'string' ? key : key.parts[0];
}
//# sourceMappingURL=identity-cache.js.map