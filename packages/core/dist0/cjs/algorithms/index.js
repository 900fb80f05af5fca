"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.algorithms = void 0;
exports.algorithmOf = algorithmOf;
const fixed_window_js_1 = require("./fixed-window/fixed-window.js");
const leaky_bucket_js_1 = require("./leaky-bucket/leaky-bucket.js");
const multi_window_js_1 = require("./multi-window/multi-window.js");
const sliding_window_log_js_1 = require("./sliding-window-log/sliding-window-log.js");
const sliding_window_js_1 = require("./sliding-window/sliding-window.js");
const token_bucket_js_1 = require("./token-bucket/token-bucket.js");
// The registry forgets which policy and which state belong to which algorithm; a policy carries its algorithm's name.
const registry = {
    'fixed-window': fixed_window_js_1.fixedWindow,
    'sliding-window': sliding_window_js_1.slidingWindow,
    'sliding-window-log': sliding_window_log_js_1.slidingWindowLog,
    'token-bucket': token_bucket_js_1.tokenBucket,
    'leaky-bucket': leaky_bucket_js_1.leakyBucket,
    'multi-window': multi_window_js_1.multiWindow,
};
/** All algorithms by name. */
exports.algorithms = registry;
/** The algorithm that a policy was made by. */
function algorithmOf(policy) {
    return exports.algorithms[policy.algorithm];
}
//# sourceMappingURL=index.js.map