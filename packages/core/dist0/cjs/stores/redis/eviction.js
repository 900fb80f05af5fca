"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.warnOfEviction = warnOfEviction;
const warning_js_1 = require("../../events/warning.js");
const scripts_js_1 = require("./scripts.js");
/** Looks whether the server forgets keys to make room, and warns: a key that is forgotten is a limit that is not kept. */
async function warnOfEviction(client) {
    try {
        const [most, policy] = (await client.eval(scripts_js_1.scripts.eviction.source, 0));
        if (policy === undefined || policy === 'noeviction' || Number(most) === 0)
            return;
        (0, warning_js_1.warn)('SLUICE_REDIS_EVICTION', `redisStore: Redis forgets keys when its memory is full (maxmemory-policy ${policy}), and clients whose keys are forgotten have all of their limit again: set maxmemory-policy noeviction, on a Redis of its own`);
    }
    catch {
        // A limiter works without the answer.
    }
}
//# sourceMappingURL=eviction.js.map