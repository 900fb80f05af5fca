import type { FeatureValue } from '../model/feature.js';
import type { NamedAlgorithm } from './algorithm.js';

/** What `balance()` of `@sluice/core/quotas` returns: an algorithm that a program imports, with its options. */
export interface ImportedAlgorithm extends FeatureValue {
  readonly algorithm: NamedAlgorithm;
}
