"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.LinkedCall = void 0;
const channels_js_1 = require("../../events/channels.js");
const errors_js_1 = require("../../model/errors.js");
const fault_js_1 = require("./fault.js");
const redis_error_js_1 = require("./redis-error.js");
/** A call on its way. It is settled once: by its answer, by its failure, or by the deadline. */
class LinkedCall {
    due;
    primary;
    #link;
    #call;
    #isProbe;
    #settled = false;
    #sent = false;
    #end;
    #ended;
    constructor(link, call, primary, isProbe = false) {
        this.#link = link;
        this.#call = call;
        this.primary = primary;
        this.#isProbe = isProbe;
        this.due = call.asked + link.deadline.milliseconds;
    }
    /** Requests whose checks travel in it. */
    get groups() {
        return this.#call.groups;
    }
    get settled() {
        return this.#settled;
    }
    go() {
        if (!this.#settled)
            this.#execute(false);
    }
    giveUp() {
        if (this.#settled)
            return;
        this.#settle();
        this.#link.deadline.settle();
        this.#call.fail(this.#link.notReady(this.primary));
    }
    expire() {
        const problem = `${this.#sent ? 'no reply' : 'no connection'} within ${this.#link.deadline.milliseconds} ms`;
        if (this.#sent)
            this.primary.breaker.fail(performance.now(), problem, this.#isProbe);
        else
            this.primary.stopWaiting();
        this.#settle(this.#sent ? 'late' : undefined, problem);
        this.#call.fail(new errors_js_1.StoreError('STORE_UNAVAILABLE', `Redis could not answer: ${problem}`));
    }
    /** Resolves when it is settled. */
    end() {
        this.#end ??= new Promise((resolve) => (this.#ended = resolve));
        return this.#end;
    }
    #execute(bySource) {
        this.#sent = true;
        const fail = (reason) => this.#failed(reason, bySource);
        try {
            this.#link.execute(this.#call, bySource).then((reply) => this.#answered(reply), fail);
        }
        catch (error) {
            // A client that is none of ioredis.
            fail(error);
        }
    }
    #answered(reply) {
        if (this.#settled) {
            this.#late();
            return;
        }
        this.primary.breaker.succeed(performance.now(), this.#isProbe);
        this.#settle('answered');
        this.#link.deadline.settle();
        this.#link.answered();
        try {
            this.#call.answer(reply);
        }
        catch (error) {
            // A client that changes replies, perhaps.
            this.#call.fail((0, redis_error_js_1.toStoreError)(error));
        }
    }
    #failed(reason, bySource) {
        const error = (0, redis_error_js_1.withoutCommand)(reason);
        if (this.#settled) {
            if (error.name === 'ReplyError')
                this.#late();
            return;
        }
        // A server that was restarted, flushed or failed over to has no scripts. Nothing ran, so this cannot count twice.
        if (!bySource && error.message.startsWith('NOSCRIPT') && performance.now() < this.due) {
            this.#execute(true);
            return;
        }
        const fault = (0, fault_js_1.faultOf)(error);
        if (fault === 'infrastructure')
            this.primary.breaker.fail(performance.now(), error.message, this.#isProbe);
        // Whatever else is wrong, the server is there.
        else if (this.#isProbe)
            this.primary.breaker.succeed(performance.now(), true);
        if (fault === 'configuration')
            this.#link.refused(error);
        this.#settle('failed', error.message);
        this.#link.deadline.settle();
        this.#call.fail((0, redis_error_js_1.toStoreError)(error));
    }
    #settle(outcome, problem) {
        this.#settled = true;
        this.#link.forget(this);
        this.#ended?.();
        if (outcome === undefined || !channels_js_1.channels.storeCall.hasSubscribers)
            return;
        channels_js_1.channels.storeCall.publish({ ...this.#told(), outcome, ...(problem !== undefined && { problem }) });
    }
    #late() {
        if (channels_js_1.channels.lateReply.hasSubscribers)
            channels_js_1.channels.lateReply.publish(this.#told());
    }
    #told() {
        const { name } = this.primary;
        const duration = performance.now() - this.#call.asked;
        return { duration, groups: this.#call.groups, ...(name !== undefined && { primary: name }) };
    }
}
exports.LinkedCall = LinkedCall;
//# sourceMappingURL=linked-call.js.map