"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.Overflow = void 0;
const index_js_1 = require("../../algorithms/index.js");
/**
 * The states in which keys are counted that there is no room for: those of one tier share one budget. Tiers that share
 * nothing in the table share nothing here: each prefix has its own, and each way of counting.
 */
class Overflow {
    #states = new Map();
    get size() {
        return this.#states.size;
    }
    /** The claim as it is decided here: on what its tier has together. */
    redirect(claim) {
        return { ...claim, key: sharedKey(claim) };
    }
    stateFor({ key }) {
        return this.#states.get(key)?.state;
    }
    /** @param now microseconds */
    write({ key, policy }, state, now) {
        if (!this.#states.has(key))
            this.#sweep(now);
        this.#states.set(key, { policy, state });
    }
    /** Where limits are functions, ways of counting come and go. */
    #sweep(now) {
        for (const [key, { policy, state }] of this.#states) {
            if ((0, index_js_1.algorithmOf)(policy).expiresAt(state, policy) * policy.tick <= now)
                this.#states.delete(key);
        }
    }
}
exports.Overflow = Overflow;
/** The keys of limiters are printable, so that none of them begins like this. */
function sharedKey({ key, tier, policy }) {
    // A limiter's prefix has no brace, and what follows it begins with one.
    const prefix = key.slice(0, Math.max(0, key.indexOf('{')));
    return ['\0overflow', prefix, tier, policy.dimensions].join('\0');
}
//# sourceMappingURL=overflow.js.map