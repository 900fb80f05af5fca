import type { SharedLimit } from '../../algorithms/named/algorithms.js';
import type { MaybePromise } from '../../async/maybe-promise.js';
import type { FeatureValue } from '../../model/feature.js';
import type { KeyFunction } from '../keys/key-function.js';
import type { SubjectOption } from './subject-option.js';

/** How callers share the limit of a tier in flight: what `fairBy()` of `@sluice/overload/fair` returns. */
export interface Fair<S> extends FeatureValue<'fair'> {
  /** Identifies the caller of a request, as `key` identifies a client. */
  readonly by: KeyFunction<S>;
  /** The weight of the caller. It is undefined if all callers have equal shares. */
  readonly weight: ((subject: S) => MaybePromise<number>) | undefined;
}

/** The same, as tiers use it. */
export interface FairValue<S> extends Fair<S>, SharedLimit {
  /** The callers of a tier. @param owner the first words of messages */
  callersOf(owner: string, secret: string | undefined): SubjectOption<S>;
}
