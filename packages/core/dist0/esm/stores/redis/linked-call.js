import { channels } from '../../events/channels.js';
import { StoreError } from '../../model/errors.js';
import { faultOf } from './fault.js';
import { toStoreError, withoutCommand } from './redis-error.js';
/** A call on its way. It is settled once: by its answer, by its failure, or by the deadline. */
export class LinkedCall {
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
        this.#call.fail(new StoreError('STORE_UNAVAILABLE', `Redis could not answer: ${problem}`));
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
            this.#call.fail(toStoreError(error));
        }
    }
    #failed(reason, bySource) {
        const error = withoutCommand(reason);
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
        const fault = faultOf(error);
        if (fault === 'infrastructure')
            this.primary.breaker.fail(performance.now(), error.message, this.#isProbe);
        // Whatever else is wrong, the server is there.
        else if (this.#isProbe)
            this.primary.breaker.succeed(performance.now(), true);
        if (fault === 'configuration')
            this.#link.refused(error);
        this.#settle('failed', error.message);
        this.#link.deadline.settle();
        this.#call.fail(toStoreError(error));
    }
    #settle(outcome, problem) {
        this.#settled = true;
        this.#link.forget(this);
        this.#ended?.();
        if (outcome === undefined || !channels.storeCall.hasSubscribers)
            return;
        channels.storeCall.publish({ ...this.#told(), outcome, ...(problem !== undefined && { problem }) });
    }
    #late() {
        if (channels.lateReply.hasSubscribers)
            channels.lateReply.publish(this.#told());
    }
    #told() {
        const { name } = this.primary;
        const duration = performance.now() - this.#call.asked;
        return { duration, groups: this.#call.groups, ...(name !== undefined && { primary: name }) };
    }
}
//# sourceMappingURL=linked-call.js.map