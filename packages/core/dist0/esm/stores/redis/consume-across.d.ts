import type { Claim } from '../../model/claim.js';
import type { Answer } from '../store.js';
import { type SlotCalls } from './slot-calls.js';
/**
 * Consumes a group whose keys lie in several slots: all parts go out at the same time, and when one denies or fails,
 * what the others took is given back. Never more is admitted than the limits allow; for a moment less can be. Nothing is
 * waited for when the time of the request is over.
 */
export declare function consumeAcross(calls: SlotCalls, group: readonly Claim[], parts: readonly (readonly Claim[])[]): Promise<Answer>;
//# sourceMappingURL=consume-across.d.ts.map