import type { SharedLimiterOptions } from '../limiter/limiter-options.js';
import type { Limiter } from '../limiter/limiter.js';
import type { NameOf, Tier } from '../limiter/tier.js';
import type { Decision } from '../model/decision.js';
import type { MaybePromise } from '../model/maybe-promise.js';
import type { DialectName } from './fields/dialect-name.js';
import type { Problem } from './problem.js';
/** What a gate is told besides its limiter. `S` is the framework's request, `OnDenied` its kind of handler. */
export interface GateOptions<S, OnDenied = never> {
    /** Requests that are neither counted nor told anything. */
    skip?: (request: S) => MaybePromise<boolean | undefined>;
    /**
     * Units that a request takes of each tier without a cost of its own; 0 reads without charging.
     *
     * @default 1
     */
    cost?: number | ((request: S) => MaybePromise<number>);
    /**
     * How clients are told their limits: at most one of the drafts, and `[]` for not at all. `Retry-After` is always sent.
     *
     * @default ['x-ratelimit']
     */
    headers?: readonly DialectName[];
    /**
     * The body of a denial: text, or anything that JSON can hold, or a function that makes it.
     *
     * @default problem details (RFC 9457)
     */
    body?: string | object | ((denied: Denied<S>) => unknown);
    /** Answers a denial instead. Status and headers are set before. */
    onDenied?: OnDenied;
    /**
     * Gives back what a request took when its response has been sent, by the status, such as `(status) => status < 400` to
     * count failures only. A response that the client did not wait for stays counted.
     */
    refundWhen?: (status: number, request: S) => MaybePromise<boolean>;
}
/** What a body is made of. */
export interface Denied<S> {
    readonly request: S;
    readonly decision: Decision;
    readonly problem: Problem;
}
/** A tier of a gate: without a `key` it applies to the client's address, `byIp()`. */
export type GateTier<S> = Tier<S> extends infer T ? (T extends Tier<S> ? WithoutKey<T> : never) : never;
type WithoutKey<T extends {
    key: unknown;
}> = Omit<T, 'key'> & {
    key?: T['key'];
};
export type GateTiers<S> = readonly GateTier<S>[] | ((request: S) => MaybePromise<readonly GateTier<S>[]>);
/** Gate options with those of a limiter: its tiers, or one tier in short. Or with a limiter that is shared. */
export type GatedLimiterOptions<S, OnDenied = never> = GateOptions<S, OnDenied> & (({
    limiter: Limiter<S>;
} & {
    [Name in keyof SharedLimiterOptions<S> | TierName<S> | 'tiers']?: never;
}) | (SharedLimiterOptions<S> & {
    limiter?: never;
} & (({
    tiers: GateTiers<S>;
} & {
    [Name in TierName<S>]?: never;
}) | (GateTier<S> & {
    tiers?: never;
}))));
type TierName<S> = Exclude<NameOf<Tier<S>>, 'cost' | 'onStoreFailure'>;
export declare const GATE_OPTIONS: readonly ['skip', 'cost', 'headers', 'body', 'onDenied', 'refundWhen'];
/** Checks what is not about the limiter. @throws ConfigError */
export declare function readGateOptions<S, OnDenied>(options: GatedLimiterOptions<S, OnDenied> | Limiter<S>): GatedLimiterOptions<S, OnDenied>;
/** True for a limiter, whichever copy of the package has made it. */
export declare function isLimiter<S>(options: unknown): options is Limiter<S>;
export {};
//# sourceMappingURL=gate-options.d.ts.map