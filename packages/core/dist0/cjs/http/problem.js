"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.problemOf = problemOf;
const recent_js_1 = require("../model/recent.js");
const retry_after_js_1 = require("./fields/retry-after.js");
const REGISTRY = 'https://iana.org/assignments/http-problem-types#';
/** Problems that are remembered: under attack nearly all clients are told one of a few. */
const KNOWN = 4_096;
const problems = new recent_js_1.Recent(KNOWN);
/**
 * The problem of a request that was not admitted. Nothing in it tells who anyone is. What says the same is the same
 * object.
 *
 * @param violated names of the policies that deny
 */
function problemOf({ reason, retryAfter }, violated) {
    const seconds = (0, retry_after_js_1.retryAfterOf)({ retryAfter });
    // No name has a line feed in it.
    const said = `${reason}\n${seconds}\n${violated.length === 1 ? violated[0] : violated.join('\n')}`;
    const known = problems.get(said);
    if (known)
        return known;
    const problem = Object.freeze(describe(reason, seconds, Object.freeze([...violated])));
    problems.set(said, problem);
    return problem;
}
function describe(reason, seconds, violated) {
    if (reason === 'unavailable') {
        return {
            type: `${REGISTRY}temporary-reduced-capacity`,
            title: 'Request cannot be satisfied due to temporary server capacity constraints',
            status: 503,
            detail: `The limits of this service cannot be checked at the moment. Retry in ${timeText(seconds)}.`,
        };
    }
    const named = { 'violated-policies': violated };
    if (reason === 'never') {
        return {
            type: 'about:blank',
            title: 'Unprocessable Content',
            status: 422,
            detail: 'The request can never fit its limit. Retrying does not help.',
            ...named,
        };
    }
    return {
        type: `${REGISTRY}quota-exceeded`,
        title: 'Request cannot be satisfied as assigned quota has been exceeded',
        status: 429,
        detail: `Too many requests. Retry in ${timeText(seconds)}.`,
        ...named,
    };
}
function timeText(seconds) {
    return seconds === 1 ? '1 second' : `${seconds} seconds`;
}
//# sourceMappingURL=problem.js.map