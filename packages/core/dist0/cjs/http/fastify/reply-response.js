"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.ReplyResponse = void 0;
const lowerCases = new Map();
/** Fastify looks headers up in lower case. A gate has few names, and to be told one that is there already is cheap. */
function inLowerCase(name) {
    const known = lowerCases.get(name);
    if (known !== undefined)
        return known;
    const lower = name.toLowerCase();
    lowerCases.set(name, lower);
    return lower;
}
/** A reply as a gate sees it: headers go the way of Fastify, and life is that of Node's response. */
class ReplyResponse {
    #reply;
    constructor(reply) {
        this.#reply = reply;
    }
    get statusCode() {
        return this.#reply.raw.statusCode;
    }
    /** A reply that was hijacked is somebody else's, and its headers are. */
    get headersSent() {
        return this.#reply.raw.headersSent || this.#reply.sent;
    }
    get writableEnded() {
        return this.#reply.sent;
    }
    get destroyed() {
        const { raw } = this.#reply;
        // Over HTTP/2 only the stream says so, which is destroyed at every end.
        return raw.destroyed === true || raw.stream?.aborted === true;
    }
    getHeader(name) {
        return this.#reply.getHeader(name);
    }
    setHeader(name, value) {
        this.#reply.header(inLowerCase(name), value);
    }
    end() {
        this.#reply.raw.end();
    }
    once(event, listener) {
        this.#reply.raw.once(event, listener);
    }
    off(event, listener) {
        this.#reply.raw.off(event, listener);
    }
}
exports.ReplyResponse = ReplyResponse;
//# sourceMappingURL=reply-response.js.map