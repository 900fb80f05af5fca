"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.compose = compose;
const errors_js_1 = require("../../model/errors.js");
const identity_js_1 = require("../../model/identity.js");
const is_promise_js_1 = require("../../model/is-promise.js");
const passage_js_1 = require("../passage.js");
const option_reader_js_1 = require("../../model/option-reader.js");
/**
 * Identifies by several identities together, such as address and account: each pair has a budget of its own. Kind
 * `composed`.
 *
 * @throws ConfigError KEY_INVALID
 */
function compose(...keys) {
    const wrong = keys.findIndex((key) => typeof key !== 'function');
    if (keys.length < 2 || wrong >= 0) {
        const value = wrong >= 0 ? keys[wrong] : keys;
        throw new errors_js_1.ConfigError('KEY_INVALID', 'keys', value, `compose: keys must be two functions of the subject or more, got ${(0, option_reader_js_1.show)(value)}`);
    }
    return (subject) => {
        const passage = (0, passage_js_1.passageOf)(subject);
        const before = passage?.countsAddress;
        const found = keys.map((key) => attempt(key, subject));
        // An address bounds nothing in a combination: with another key beside it there is another budget.
        if (passage && !before)
            passage.countsAddress = false;
        return found.some((each) => (0, is_promise_js_1.isPromise)(each)) ? Promise.all(found).then(joined) : joined(found);
    };
}
/** What one function throws must not leave the promise of another without anybody who waits for it. */
function attempt(key, subject) {
    try {
        return key(subject);
    }
    catch (error) {
        return Promise.reject(error);
    }
}
function joined(found) {
    // The limiter says of what is no key whose it is.
    const wrong = found.findIndex((each) => !(0, identity_js_1.isKey)(each));
    return wrong >= 0 ? found[wrong] : { kind: 'composed', parts: found.map(identity_js_1.identityText) };
}
//# sourceMappingURL=compose.js.map