import type { Trial } from './trial.js';
/** What holds for tiers that are decided together. */
export declare function groupRules(trial: Trial): void;
//# sourceMappingURL=group-rules.d.ts.map