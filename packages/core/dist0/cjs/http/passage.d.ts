import type { Limiter } from '../limiter/limiter.js';
import type { Decision } from '../model/decision.js';
import type { DialectName } from './fields/dialect-name.js';
import type { ProxyWatch } from './proxies.js';
import type { HttpRequest } from './request.js';
/** A decision that counts for a request. */
export interface Counted {
    /** What tells one gate from another, also where they share a limiter. */
    readonly gate: object;
    readonly limiter: Limiter<never>;
    readonly decision: Decision;
    /** How its gate tells clients of it; not at all without any. */
    readonly dialects: readonly DialectName[];
}
/** A request on its way through the gates of an application: what one of them has to know of the others. */
export declare class Passage {
    #private;
    /** A tier has asked for the address. */
    countsAddress: boolean;
    /** A tier has counted an API key that nobody has verified. */
    countsPresentedKey: boolean;
    readonly request: HttpRequest;
    /** The address is read here, for after an await the client may have gone, and its address with it. */
    constructor(request: HttpRequest, watch?: ProxyWatch);
    /** All decisions about the request, in the order they were made. */
    get counted(): readonly Counted[];
    /** The decisions that headers tell of. */
    get announced(): readonly Counted[];
    /**
     * How the request is told of by all of its gates together. All drafts have the field `RateLimit-Policy`, so it is
     * written as the first gate does that has one.
     */
    get dialects(): readonly DialectName[];
    /** Milliseconds until all limiters that deny admit the request, where waiting helps. */
    get retryAfter(): number;
    count(counted: Counted): void;
    /** The client's address in its one spelling; undefined where it cannot be read. */
    get address(): string | undefined;
}
/** The passage of a request that has come to a gate; a copy of the request has none. */
export declare function passageOf(subject: unknown): Passage | undefined;
/** The passage of a request, which begins when it comes to its first gate. */
export declare function enter(request: HttpRequest, watch?: ProxyWatch): Passage;
/** A framework tells `ip`, though it be undefined; where there is none the peer is the client. */
export declare function addressTold(request: HttpRequest): string | undefined;
//# sourceMappingURL=passage.d.ts.map