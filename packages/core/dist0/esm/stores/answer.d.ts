import type { Claim } from '../model/claim.js';
import type { Source } from '../model/decision.js';
import type { Ruling } from '../model/ruling.js';
import type { Answer } from './store.js';
/**
 * What a store says of a group of claims that were ruled on.
 *
 * @param now when, in microseconds of the store's clock
 * @param asked when it was asked, in milliseconds of `performance.now()`
 */
export declare function toAnswer(group: readonly Claim[], rulings: readonly Ruling[], now: number, source: Source, asked?: number): Answer;
//# sourceMappingURL=answer.d.ts.map