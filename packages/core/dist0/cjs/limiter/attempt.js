"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.attempt = attempt;
const errors_js_1 = require("../model/errors.js");
const is_promise_js_1 = require("../model/is-promise.js");
/**
 * Calls a user's function. What it throws becomes a rejection, as of one that is async: the other functions are still
 * called and awaited.
 *
 * @param owner whose function it is, for the UsageError FUNCTION_FAILED
 */
function attempt(owner, name, call, subject) {
    try {
        const answer = call(subject);
        if (!(0, is_promise_js_1.isPromise)(answer))
            return answer;
        return Promise.resolve(answer).catch((cause) => Promise.reject(failure(owner, name, cause)));
    }
    catch (cause) {
        return Promise.reject(failure(owner, name, cause));
    }
}
function failure(owner, name, cause) {
    return new errors_js_1.UsageError('FUNCTION_FAILED', `${owner}: the function ${name} failed`, { cause });
}
//# sourceMappingURL=attempt.js.map