"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.Passage = void 0;
exports.passageOf = passageOf;
exports.enter = enter;
exports.addressTold = addressTold;
const warning_js_1 = require("../events/warning.js");
const address_js_1 = require("./keys/address.js");
/** A request on its way through the gates of an application: what one of them has to know of the others. */
class Passage {
    #counted = [];
    /** A tier has asked for the address. */
    countsAddress = false;
    /** A tier has counted an API key that nobody has verified. */
    countsPresentedKey = false;
    request;
    #watch;
    #told;
    #address;
    /** The address is read here, for after an await the client may have gone, and its address with it. */
    constructor(request, watch) {
        this.request = request;
        this.#watch = watch;
        this.#told = addressTold(request);
    }
    /** All decisions about the request, in the order they were made. */
    get counted() {
        return this.#counted;
    }
    /** The decisions that headers tell of. */
    get announced() {
        return this.#counted.every(isAnnounced) ? this.#counted : this.#counted.filter(isAnnounced);
    }
    /**
     * How the request is told of by all of its gates together. All drafts have the field `RateLimit-Policy`, so it is
     * written as the first gate does that has one.
     */
    get dialects() {
        // Nearly always there is one gate.
        if (this.#counted.length === 1)
            return this.#counted[0].dialects;
        const told = [...new Set(this.#counted.flatMap(({ dialects }) => dialects))];
        const draft = told.find(isDraft);
        return told.filter((name) => !isDraft(name) || name === draft);
    }
    /** Milliseconds until all limiters that deny admit the request, where waiting helps. */
    get retryAfter() {
        let longest = -Infinity;
        for (const { decision } of this.#counted) {
            if (decision.retryAfter < Infinity)
                longest = Math.max(longest, decision.retryAfter);
        }
        return longest;
    }
    count(counted) {
        const again = this.#counted.some(({ limiter }) => limiter === counted.limiter);
        if (again)
            warnOfCountingTwice();
        if (this.countsPresentedKey && !this.countsAddress)
            warnOfKeysAlone();
        this.#counted.push(counted);
    }
    /** The client's address in its one spelling; undefined where it cannot be read. */
    get address() {
        if (this.#told !== undefined) {
            this.#address = (0, address_js_1.canonicalAddress)(this.#told);
            this.#told = undefined;
            // Only where somebody goes by it is it worth a word whose word it is.
            this.#watch?.look(this.request);
        }
        return this.#address;
    }
}
exports.Passage = Passage;
/**
 * Where a request carries its passage, whichever copy of the package has put it there: the number changes with what a
 * passage is. Why no WeakMap: docs/decisions/0008-address-at-entry.md.
 */
const PASSAGE = Symbol.for('sluice.passage.1');
/** The passage of a request that has come to a gate; a copy of the request has none. */
function passageOf(subject) {
    // Where a request has none, to look for one along its prototypes takes longer than all else here.
    if (typeof subject !== 'object' || subject === null || !Object.hasOwn(subject, PASSAGE))
        return undefined;
    const passage = subject[PASSAGE];
    return passage?.request === subject ? passage : undefined;
}
/** The passage of a request, which begins when it comes to its first gate. */
function enter(request, watch) {
    const known = passageOf(request);
    if (known)
        return known;
    const passage = new Passage(request, watch);
    if (Object.isExtensible(request))
        request[PASSAGE] = passage;
    return passage;
}
function isAnnounced({ dialects }) {
    return dialects.length > 0;
}
function isDraft(name) {
    return name.startsWith('draft-');
}
function warnOfCountingTwice() {
    (0, warning_js_1.warn)('SLUICE_COUNTED_TWICE', 'rateLimit: a limiter has counted a request twice, so that clients have half of their limit: it stands before a router and again inside it, perhaps');
}
function warnOfKeysAlone() {
    (0, warning_js_1.warn)('SLUICE_API_KEYS_ALONE', 'byApiKey: keys are counted that nobody has verified, and no tier counts addresses: whoever makes up a new key has a new budget. Have a tier with byIp() beside it, or before it');
}
/** A framework tells `ip`, though it be undefined; where there is none the peer is the client. */
function addressTold(request) {
    return 'ip' in request ? request.ip : request.socket?.remoteAddress;
}
//# sourceMappingURL=passage.js.map