import type { MaybePromise } from '../../async/maybe-promise.js';
import type { FeatureValue } from '../../model/feature.js';

/** What `line()` of `@sluice/overload/line` returns. */
export interface LineOption<S> extends FeatureValue<'line'> {
  /** Tells the callers of one key apart. Undefined where none are told apart. */
  readonly by: ((subject: S) => MaybePromise<unknown>) | undefined;
}
