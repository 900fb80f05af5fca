import type { HttpRequest } from './request.js';
/**
 * Whose word a framework takes for a client's address: that of every peer, of some, or of none. `ignored`: it was told
 * some, in a way that it does not heed.
 */
export type ProxyTrust = 'all' | 'some' | 'none' | 'ignored';
/** Warns of what makes the addresses of requests worth little. */
export declare class ProxyWatch {
    #private;
    /** @param trust tells whose word the framework takes for the address of a request */
    constructor(trust: (request: never) => ProxyTrust);
    look(request: HttpRequest): void;
}
/** Warns of a setting that makes limits by address worth little, which can be told before any request has come. */
export declare function warnOfTrust(trust: ProxyTrust): void;
/** Behind a proxy that is not trusted, all clients have its address and share one budget. */
export declare function warnOfUntrusted(request: HttpRequest): void;
//# sourceMappingURL=proxies.d.ts.map