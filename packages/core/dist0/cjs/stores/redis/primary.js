"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.Primary = void 0;
const channels_js_1 = require("../../events/channels.js");
const breaker_js_1 = require("./breaker.js");
/** A server that calls go to: the one of a client, or a primary of a Cluster. */
class Primary {
    /** `host:port` of a node of a Cluster. */
    name;
    breaker;
    #lookAgain;
    #server;
    /** It was ready once, or its first attempt has failed: nothing is waited for any more. */
    #attempted = false;
    #waiting = [];
    /**
     * @param server nothing where it is not known how it stands
     * @param lookAgain called where it does not answer, or is gone: finds out whether another has taken its place
     */
    constructor(server, name, lookAgain) {
        this.name = name;
        this.#lookAgain = lookAgain;
        this.breaker = new breaker_js_1.Breaker((state, about) => {
            if (state === 'open')
                lookAgain?.();
            const primary = name === undefined ? {} : { primary: name };
            if (channels_js_1.channels.breaker.hasSubscribers)
                channels_js_1.channels.breaker.publish({ state, ...about, ...primary });
        });
        this.follow(server);
    }
    /** From now on it is known by this client, as when a node of a Cluster has come back. */
    follow(server) {
        if (server === this.#server)
            return;
        this.#server = server;
        if (server === undefined)
            return;
        const isCurrent = () => this.#server === server;
        server.on?.('ready', () => {
            if (isCurrent())
                this.#ready();
        });
        for (const event of ['close', 'end']) {
            server.on?.(event, () => {
                if (isCurrent())
                    this.#settle((each) => each.giveUp());
            });
        }
    }
    /** `starting`: it has not been tried yet, and may be ready in a moment. */
    get readiness() {
        const server = this.#server;
        const { status } = server ?? {};
        if (status === 'ready')
            return 'ready';
        // What a Cluster is asked for a node that it has lost, it asks of any other, or keeps for later. One that is not known
        // by this name is another matter.
        if (status === undefined && !(this.#attempted && this.#lookAgain))
            return 'ready';
        // Connecting is what a command would make it do, and none is sent before it is ready.
        if (status === 'wait')
            void Promise.resolve(server?.connect?.()).catch(() => undefined);
        // Where nobody can tell when it becomes ready, there is nothing to wait for.
        if (!this.#attempted && status !== 'end' && server?.on)
            return 'starting';
        this.#lookAgain?.();
        return 'down';
    }
    /** How it stands, in the client's words. */
    get status() {
        return this.#server?.status ?? 'end';
    }
    /** It has not become ready in time: whoever comes now does not wait for it. */
    stopWaiting() {
        this.#attempted = true;
    }
    wait(waiting) {
        this.#waiting.push(waiting);
    }
    #ready() {
        this.breaker.reset();
        this.#settle((each) => each.go());
    }
    #settle(tell) {
        this.#attempted = true;
        const waiting = this.#waiting;
        this.#waiting = [];
        for (const each of waiting)
            tell(each);
    }
}
exports.Primary = Primary;
//# sourceMappingURL=primary.js.map