import type { Trial } from './trial.js';
/** What holds for the texts that a tier keeps of admitted requests. */
export declare function recordRules(trial: Trial): void;
//# sourceMappingURL=record-rules.d.ts.map