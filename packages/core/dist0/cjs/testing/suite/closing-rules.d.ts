import type { Trial } from './trial.js';
/** What holds once a store is closed. */
export declare function closingRules(trial: Trial): void;
//# sourceMappingURL=closing-rules.d.ts.map