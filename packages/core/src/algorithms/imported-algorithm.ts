import type { AlgorithmFacts } from '../model/algorithm-facts.js';
import type { FeatureValue } from '../model/feature.js';

/** What `balance()` of `@sluice/quotas` returns: an algorithm that a program imports, with its options. */
export interface ImportedAlgorithm extends FeatureValue {
  readonly algorithm: Pick<AlgorithmFacts, 'name' | 'code' | 'neverRefills'>;
}
