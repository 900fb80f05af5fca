"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.Later = void 0;
const is_promise_js_1 = require("./is-promise.js");
/**
 * A value that is on its way. Whoever goes on with it by `proceed` does so in the turn in which it arrives: an answer
 * passes through several hands, and a promise for each would cost more than all that they do. To everybody else it is a
 * promise.
 */
class Later {
    #state = 'waiting';
    /** The value, or the error. */
    #came;
    #listener;
    #promise;
    get [Symbol.toStringTag]() {
        return 'Later';
    }
    /** Once: what comes after the value or the failure is nothing. */
    arrive(value) {
        if (this.#state !== 'waiting')
            return;
        this.#state = 'arrived';
        this.#came = value;
        this.#listener?.take(value);
    }
    fail(reason) {
        if (this.#state !== 'waiting')
            return;
        this.#state = 'failed';
        this.#came = reason;
        if (this.#listener)
            this.#listener.lose(reason);
        // So that it is seen if nobody ever asks.
        else
            this.#promise = Promise.reject(reason);
    }
    /** What a step makes of the value when it arrives, and another one of its failure. */
    proceed(next, recover) {
        const step = new Step(next, recover);
        this.#tell(step);
        return step;
    }
    promise() {
        this.#promise ??= new Promise((take, lose) => this.#tell({ take, lose }));
        return this.#promise;
    }
    // oxlint-disable-next-line unicorn/no-thenable -- a promise is awaited
    then(next, recover) {
        return this.promise().then(next, recover);
    }
    catch(recover) {
        return this.promise().catch(recover);
    }
    finally(end) {
        return this.promise().finally(end);
    }
    #tell(listener) {
        if (this.#state === 'arrived')
            listener.take(this.#came);
        else if (this.#state === 'failed') {
            // Somebody has asked.
            this.#promise?.catch(() => undefined);
            listener.lose(this.#came);
        }
        else
            this.#listener = this.#listener ? new Both(this.#listener, listener) : listener;
    }
}
exports.Later = Later;
/** What becomes of a value on its way. */
class Step extends Later {
    #next;
    #recover;
    constructor(next, recover) {
        super();
        this.#next = next;
        this.#recover = recover;
    }
    take(value) {
        this.#go(this.#next, value);
    }
    lose(error) {
        if (this.#recover)
            this.#go(this.#recover, error);
        else
            this.fail(error);
    }
    #go(step, value) {
        let result;
        try {
            result = step(value);
        }
        catch (error) {
            this.fail(error);
            return;
        }
        if ((0, is_promise_js_1.isPromise)(result)) {
            result.then((each) => this.arrive(each), (error) => this.fail(error));
        }
        else
            this.arrive(result);
    }
}
class Both {
    #first;
    #second;
    constructor(first, second) {
        this.#first = first;
        this.#second = second;
    }
    take(value) {
        this.#first.take(value);
        this.#second.take(value);
    }
    lose(error) {
        this.#first.lose(error);
        this.#second.lose(error);
    }
}
//# sourceMappingURL=later.js.map