"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.slotCalls = slotCalls;
const errors_js_1 = require("../../model/errors.js");
const check_queue_js_1 = require("./check-queue.js");
const deadline_js_1 = require("./deadline.js");
const redis_link_js_1 = require("./redis-link.js");
const slot_calls_js_1 = require("./slot-calls.js");
// Per client and not per store: checks of all stores on one connection travel together, and stand or fall together.
const shared = new WeakMap();
/**
 * What stores ask of a client, the same for all of them.
 *
 * @param deadline milliseconds
 * @throws ConfigError where another store on this client has another deadline
 */
function slotCalls(client, deadline) {
    const known = shared.get(client);
    if (known === undefined) {
        const link = new redis_link_js_1.RedisLink(client, new deadline_js_1.Deadline(deadline));
        const isCluster = client.isCluster === true;
        const calls = new slot_calls_js_1.SlotCalls(link, new check_queue_js_1.CheckQueue(link, isCluster), isCluster);
        shared.set(client, calls);
        return calls;
    }
    if (known.deadline === deadline)
        return known;
    throw new errors_js_1.ConfigError('OPTION_INVALID', 'deadline', deadline, `redisStore: deadline must be the same for all stores on a client, for their checks share calls: it is ${known.deadline} ms there, got ${deadline}`);
}
//# sourceMappingURL=shared-link.js.map