import type { Trial } from './trial.js';
/** What holds whatever a key is made of. */
export declare function keyRules(trial: Trial): void;
//# sourceMappingURL=key-rules.d.ts.map