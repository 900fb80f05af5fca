"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.RedisLink = void 0;
const channels_js_1 = require("../../events/channels.js");
const warning_js_1 = require("../../events/warning.js");
const errors_js_1 = require("../../model/errors.js");
const canary_js_1 = require("./canary.js");
const eviction_js_1 = require("./eviction.js");
const fault_js_1 = require("./fault.js");
const linked_call_js_1 = require("./linked-call.js");
const primaries_js_1 = require("./primaries.js");
const redis_error_js_1 = require("./redis-error.js");
/** Milliseconds after which the same refusal is worth telling again. */
const TOLD_FOR = 60_000;
/**
 * A client, as everything that is asked of it goes: only when it is ready, only past a closed breaker, and never for
 * longer than the deadline. Each call is sent once, and a reply that comes too late is ignored.
 */
class RedisLink {
    deadline;
    #client;
    #primaries;
    /** In the order in which they were begun. A set would drag along what has left it: docs/decisions/0018-calls.md. */
    #underWay = [];
    #checks = 0;
    #known = false;
    #toldAt = new Map();
    constructor(client, deadline) {
        this.#client = client;
        this.deadline = deadline;
        this.#primaries = new primaries_js_1.Primaries(client);
    }
    /** True where nothing is waited for. */
    get isIdle() {
        return this.#underWay.length === 0;
    }
    /** Checks that wait for an answer. */
    get checks() {
        return this.#checks;
    }
    /** @param now milliseconds of `performance.now()` */
    send(call, now) {
        // The process was busy, and whoever asked has waited long enough.
        if (now >= call.asked + this.deadline.milliseconds) {
            call.fail(unavailable('the process was busy for longer than the deadline'));
            return;
        }
        const [key] = call.keys;
        const primary = this.#primaries.of(key);
        const { readiness, breaker } = primary;
        if (readiness === 'down') {
            call.fail(this.notReady(primary));
            return;
        }
        if (breaker.state !== 'closed') {
            if (key === undefined && breaker.isProbeDue(now)) {
                breaker.probe();
                this.#begin(new linked_call_js_1.LinkedCall(this, call, primary, true)).go();
                return;
            }
            if (key !== undefined && breaker.isProbeDue(now))
                this.#probe(key, primary, now);
            call.fail(unavailable('Redis has not answered for a while, and is left alone for a moment'));
            return;
        }
        const linked = this.#begin(new linked_call_js_1.LinkedCall(this, call, primary));
        if (readiness === 'starting')
            primary.wait(linked);
        else
            linked.go();
    }
    /** Waits until all that has been sent so far has come to its end. */
    async settled() {
        await Promise.all(this.#underWay.map((linked) => linked.end()));
    }
    execute({ script, keys, arguments: args }, bySource) {
        return bySource
            ? this.#client.eval(script.source, keys.length, ...keys, ...args)
            : this.#client.evalsha(script.sha, keys.length, ...keys, ...args);
    }
    forget(linked) {
        this.#checks -= linked.groups;
        if (this.#underWay[0] === linked)
            this.#underWay.shift();
        else
            this.#underWay.splice(this.#underWay.indexOf(linked), 1);
    }
    /** The server is there, and can be asked what it is like. */
    answered() {
        if (this.#known)
            return;
        this.#known = true;
        void (0, eviction_js_1.warnOfEviction)(this.#client);
    }
    /** Why nothing is sent. */
    notReady(primary) {
        const { trouble } = this.#client;
        if (trouble === undefined)
            return unavailable(`the client is not ready, its status is ${primary.status}`);
        const cause = (0, redis_error_js_1.withoutCommand)(trouble);
        if ((0, fault_js_1.faultOf)(cause) === 'configuration')
            this.refused(cause);
        return unavailable(cause.message, cause);
    }
    /** Tells of what is not going to work until somebody changes something, and not at every call. */
    refused({ message }) {
        const now = performance.now();
        if (now - (this.#toldAt.get(message) ?? -Infinity) < TOLD_FOR)
            return;
        this.#toldAt.set(message, now);
        (0, warning_js_1.warn)('SLUICE_REDIS_REFUSES', `redisStore: Redis refuses what it is asked, until its configuration or yours is changed: ${message}`);
        if (channels_js_1.channels.configFault.hasSubscribers)
            channels_js_1.channels.configFault.publish({ problem: message });
    }
    #begin(linked) {
        this.#checks += linked.groups;
        this.#underWay.push(linked);
        this.deadline.watch(linked);
        return linked;
    }
    #probe(key, primary, now) {
        primary.breaker.probe();
        this.#begin(new linked_call_js_1.LinkedCall(this, (0, canary_js_1.canary)(key, now), primary, true)).go();
    }
}
exports.RedisLink = RedisLink;
function unavailable(why, cause) {
    return new errors_js_1.StoreError('STORE_UNAVAILABLE', `Redis cannot be reached: ${why}`, cause && { cause });
}
//# sourceMappingURL=redis-link.js.map