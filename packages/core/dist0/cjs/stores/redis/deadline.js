"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.Deadline = void 0;
/**
 * Ends what takes too long. All of it has the same time, so one timer and one list in the order of beginning are enough,
 * and what is settled in time costs nearly nothing.
 */
class Deadline {
    /** The time that all have, in milliseconds. */
    milliseconds;
    #watched = [];
    #unsettled = 0;
    #timer;
    constructor(milliseconds) {
        this.milliseconds = milliseconds;
    }
    watch(timed) {
        this.#watched.push(timed);
        this.#unsettled += 1;
        if (this.#timer === undefined)
            this.#wake(Math.max(1, timed.due - performance.now()));
        else if (this.#unsettled === 1)
            this.#timer.ref();
    }
    /** To be told once for each that is settled in time. */
    settle() {
        this.#unsettled -= 1;
        // Mostly the one that has begun first. What is settled would hold on to all that it was about, and the collector of
        // garbage would carry it about until the time of it was over.
        while (this.#watched[0]?.settled)
            this.#watched.shift();
        // Nothing is waited for, so nothing keeps the process up.
        if (this.#unsettled === 0)
            this.#timer?.unref();
    }
    /** A time that begins now. */
    timeSpan() {
        let over;
        const timed = {
            due: performance.now() + this.milliseconds,
            settled: false,
            expire() {
                timed.settled = true;
                over();
            },
        };
        const promise = new Promise((resolve) => (over = resolve));
        this.watch(timed);
        const stop = () => {
            if (timed.settled)
                return;
            timed.settled = true;
            this.settle();
        };
        return { over: promise, stop };
    }
    #wake(after) {
        // A reply may lie in the socket where the process was busy for long: it is read first.
        this.#timer = setTimeout(() => {
            const now = performance.now();
            setImmediate(() => this.#expire(now));
        }, after);
    }
    /** @param now when the replies of now had not been read yet: what has become due since is for the next time */
    #expire(now) {
        this.#timer = undefined;
        const watched = this.#watched;
        let over = 0;
        while (over < watched.length && (watched[over].settled || watched[over].due <= now))
            over += 1;
        this.#watched = watched.slice(over);
        if (this.#watched.length > 0)
            this.#wake(Math.max(1, this.#watched[0].due - now));
        for (const timed of watched.slice(0, over)) {
            if (timed.settled)
                continue;
            this.#unsettled -= 1;
            timed.expire();
        }
    }
}
exports.Deadline = Deadline;
//# sourceMappingURL=deadline.js.map