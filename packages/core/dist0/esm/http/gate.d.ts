import { type Limiter } from '../limiter/limiter.js';
import type { Decision } from '../model/decision.js';
import type { MaybePromise } from '../model/maybe-promise.js';
import type { Admission } from './admission.js';
import { type GatedLimiterOptions } from './gate-options.js';
import type { GateResponse } from './gate-response.js';
import { type ProxyTrust } from './proxies.js';
import { type HttpRequest } from './request.js';
/** Puts a limiter in front of HTTP, whatever the framework: an adapter hands it requests and does what it says. */
export interface Gate<S, OnDenied = never> {
    readonly limiter: Limiter<S>;
    readonly onDenied: OnDenied | undefined;
    /**
     * Decides about a request, sets the headers of its response, and has it wait for its turn where it has to. Rejects
     * with UsageError when a function of the application fails.
     */
    admit(request: S, response: GateResponse): MaybePromise<Admission>;
    /** The decision that was made about a request at this gate. */
    decision(request: S): Decision | undefined;
}
/**
 * @param options a limiter, or its options and the gate's together
 * @param trust tells whose word the framework takes for a client's address
 * @throws ConfigError that names the option, the rule and the value
 */
export declare function createGate<S extends HttpRequest, OnDenied = never>(options: GatedLimiterOptions<S, OnDenied> | Limiter<S>, trust?: (request: S) => ProxyTrust): Gate<S, OnDenied>;
//# sourceMappingURL=gate.d.ts.map