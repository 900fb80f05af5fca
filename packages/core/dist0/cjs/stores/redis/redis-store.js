"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.redisStore = redisStore;
const duration_js_1 = require("../../model/duration.js");
const errors_js_1 = require("../../model/errors.js");
const option_reader_js_1 = require("../../model/option-reader.js");
const client_settings_js_1 = require("./client-settings.js");
const connect_js_1 = require("./connect.js");
const consume_across_js_1 = require("./consume-across.js");
const shared_link_js_1 = require("./shared-link.js");
const until_ready_js_1 = require("./until-ready.js");
/**
 * Keeps state in Redis 7.0 or later, or Valkey 7.2 or later: one server, Sentinel or Cluster. All tiers of a request are
 * decided in one script call, on the server's clock; checks of one turn of the event loop share a call.
 *
 * @param from how to connect, for a client of the store's own with the settings that a limiter needs; or an ioredis
 *   client of yours (or anything with the few methods that are called), which stays yours to close
 * @throws ConfigError
 */
function redisStore(from, options = {}) {
    const deadline = readDeadline(options);
    if (isClient(from)) {
        (0, client_settings_js_1.warnOfSettings)(from);
        return new CallingStore((0, shared_link_js_1.slotCalls)(from, deadline), undefined);
    }
    const owned = (0, connect_js_1.connect)(from);
    return new CallingStore((0, shared_link_js_1.slotCalls)(owned, deadline), owned);
}
function isClient(from) {
    return typeof from?.evalsha === 'function';
}
/** In milliseconds. @throws ConfigError */
function readDeadline(options) {
    const reader = new option_reader_js_1.OptionReader('redisStore', Object(options), ['deadline']);
    const { deadline = 50 } = options;
    const microseconds = (0, duration_js_1.parseDuration)(deadline);
    if (microseconds !== undefined && microseconds >= 1e3 && microseconds <= 1e7)
        return microseconds / 1e3;
    throw reader.fail('OPTION_INVALID', 'deadline', "must be a duration from 1 ms to 10 s, such as 50 or '50ms'");
}
class CallingStore {
    #calls;
    #owned;
    /** What takes several calls, one after the other. */
    #underWay = new Set();
    #closed = false;
    constructor(calls, owned) {
        this.#calls = calls;
        this.#owned = owned;
    }
    consume(group) {
        if (this.#closed)
            return closed();
        // Nearly always it is one call.
        if (this.#calls.isOnePart(group))
            return this.#calls.consume(group);
        return this.#track((0, consume_across_js_1.consumeAcross)(this.#calls, group, this.#calls.bySlot(group)));
    }
    peek(group) {
        return this.#begin(() => this.#calls.peek(group));
    }
    refund(receipts) {
        return this.#begin(() => this.#calls.refund(receipts));
    }
    reset(keys) {
        return this.#begin(() => this.#calls.reset(keys));
    }
    inspect(key) {
        return this.#begin(() => this.#calls.inspect(key));
    }
    ready() {
        return (0, until_ready_js_1.untilReady)(() => this.#begin(() => this.#calls.ping()));
    }
    async close() {
        this.#closed = true;
        await Promise.allSettled([this.#calls.idle(), ...this.#underWay]);
        await this.#owned?.end();
    }
    #begin(call) {
        return this.#closed ? closed() : call();
    }
    #track(answer) {
        const forget = () => void this.#underWay.delete(answer);
        this.#underWay.add(answer);
        answer.then(forget, forget);
        return answer;
    }
}
function closed() {
    return Promise.reject(new errors_js_1.StoreError('STORE_CLOSED', 'this store has been closed'));
}
//# sourceMappingURL=redis-store.js.map