"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.canary = canary;
const policy_options_js_1 = require("../../algorithms/policy-options.js");
const later_js_1 = require("../../model/later.js");
const check_call_js_1 = require("./check-call.js");
/** It is gone a second later. */
const POLICY = (0, policy_options_js_1.definePolicy)({ algorithm: 'fixed-window', limit: 1_000_000, window: '1s' });
/**
 * A call that nobody waits for: the real script, for a server that answers PING may be read-only, full or a replica.
 *
 * @param key a key beside which the canary sits: with the same prefix, which may be all that we are allowed, and in the
 *   same slot
 */
function canary(key, now) {
    const end = key.indexOf('}');
    const place = end < 0 ? `{${key}}` : key.slice(0, end + 1);
    const claim = {
        tier: 'canary',
        key: `${place}:canary`,
        policy: POLICY,
        cost: 1,
        shadow: false,
        countDenied: false,
        record: undefined,
    };
    const call = new check_call_js_1.CheckCall(now);
    const ignore = () => undefined;
    call.add({ group: [claim], peek: false, answer: new later_js_1.Later() });
    const { script, keys, arguments: args } = call;
    return { script, keys, arguments: args, groups: 0, asked: now, answer: ignore, fail: ignore };
}
//# sourceMappingURL=canary.js.map