import type { PolicyOptions } from '../../algorithms/policy-options.js';
import type { Trial } from './trial.js';
/** What holds for a tier of any algorithm. */
export declare function algorithmRules(trial: Trial, options: PolicyOptions): void;
//# sourceMappingURL=algorithm-rules.d.ts.map