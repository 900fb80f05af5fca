import type { OnStoreFailure } from './on-store-failure.js';
import type { Outcome } from './outcome.js';
/** Who decided. */
export type Source = 'redis' | 'memory' | 'deny-cache' | 'lease' | 'local' | 'none';
/** All outcomes of a request together. */
export interface Decision {
    readonly allowed: boolean;
    /** `never`: the cost is more than a tier can ever hold. `unavailable`: the store could not answer. */
    readonly reason: 'ok' | 'denied' | 'never' | 'unavailable';
    /** The outcome that a client has to wait for, or that is closest to denying; none when no enforced tier applied. */
    readonly binding?: Outcome;
    /** The enforced tiers that deny, largest first. */
    readonly deniedBy: readonly string[];
    /** One for each tier that applied, largest first. */
    readonly outcomes: readonly Outcome[];
    /** Milliseconds until the same request fits all tiers; 0 when allowed, `Infinity` when never. */
    readonly retryAfter: number;
    /** Milliseconds that an allowed request has to wait for its turn (leaky queue); else 0. */
    readonly delay: number;
    /** Who decided. */
    readonly source: Source;
    /** Decided without the store that was asked for. */
    readonly degraded: boolean;
}
/** The decision that nobody could make: the request is not admitted, and nothing says that it was too many. */
export declare function unavailable(): Decision;
/**
 * @param outcomes largest first
 * @param fallback how it was decided instead, where the store could not answer
 */
export declare function toDecision(outcomes: readonly Outcome[], source: Source, fallback?: OnStoreFailure): Decision;
/** Fills in a decision that is more than its numbers. */
export declare function fillIn<D extends Changeable<Decision>>(decision: D, outcomes: readonly Outcome[], source: Source, fallback?: OnStoreFailure): D;
export type Changeable<T> = {
    -readonly [Name in keyof T]: T[Name];
};
/**
 * Of enforced outcomes: among those that deny the one to wait longest for, else the one that is closest to denying; of
 * equals the first.
 */
export declare function bindingOf(enforced: readonly Outcome[]): Outcome | undefined;
//# sourceMappingURL=decision.d.ts.map