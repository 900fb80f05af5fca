"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.proceed = proceed;
const is_promise_js_1 = require("./is-promise.js");
const later_js_1 = require("./later.js");
/** Goes on with a value at once, or when it arrives, and with its failure where there is a way: no promise where none is needed. */
function proceed(value, next, recover) {
    if (value instanceof later_js_1.Later)
        return value.proceed(next, recover);
    return (0, is_promise_js_1.isPromise)(value) ? Promise.resolve(value).then(next, recover) : next(value);
}
//# sourceMappingURL=proceed.js.map