import type { Decision } from '../model/decision.js';
/** What a client is told of a denial: problem details, RFC 9457. */
export interface Problem {
    /** What kind of problem it is, by a URI: those of the IETF's draft on rate limit fields. */
    readonly type: string;
    readonly title: string;
    /** The status of the answer: 429 denied, 422 can never fit, 503 the limits cannot be checked. */
    readonly status: 422 | 429 | 503;
    readonly detail: string;
    /** Names of the policies that deny, as in `RateLimit-Policy`. */
    readonly 'violated-policies'?: readonly string[];
}
/**
 * The problem of a request that was not admitted. Nothing in it tells who anyone is. What says the same is the same
 * object.
 *
 * @param violated names of the policies that deny
 */
export declare function problemOf({ reason, retryAfter }: Decision, violated: readonly string[]): Problem;
//# sourceMappingURL=problem.d.ts.map