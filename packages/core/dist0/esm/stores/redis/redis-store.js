import { parseDuration } from '../../model/duration.js';
import { StoreError } from '../../model/errors.js';
import { OptionReader } from '../../model/option-reader.js';
import { warnOfSettings } from './client-settings.js';
import { connect } from './connect.js';
import { consumeAcross } from './consume-across.js';
import { slotCalls } from './shared-link.js';
import { untilReady } from './until-ready.js';
/**
 * Keeps state in Redis 7.0 or later, or Valkey 7.2 or later: one server, Sentinel or Cluster. All tiers of a request are
 * decided in one script call, on the server's clock; checks of one turn of the event loop share a call.
 *
 * @param from how to connect, for a client of the store's own with the settings that a limiter needs; or an ioredis
 *   client of yours (or anything with the few methods that are called), which stays yours to close
 * @throws ConfigError
 */
export function redisStore(from, options = {}) {
    const deadline = readDeadline(options);
    if (isClient(from)) {
        warnOfSettings(from);
        return new CallingStore(slotCalls(from, deadline), undefined);
    }
    const owned = connect(from);
    return new CallingStore(slotCalls(owned, deadline), owned);
}
function isClient(from) {
    return typeof from?.evalsha === 'function';
}
/** In milliseconds. @throws ConfigError */
function readDeadline(options) {
    const reader = new OptionReader('redisStore', Object(options), ['deadline']);
    const { deadline = 50 } = options;
    const microseconds = parseDuration(deadline);
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
        return this.#track(consumeAcross(this.#calls, group, this.#calls.bySlot(group)));
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
        return untilReady(() => this.#begin(() => this.#calls.ping()));
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
    return Promise.reject(new StoreError('STORE_CLOSED', 'this store has been closed'));
}
//# sourceMappingURL=redis-store.js.map