import type { Claim } from '../../model/claim.js';
import type { Ruling } from '../../model/ruling.js';
/** A group that was asked about. */
interface AskedGroup {
    readonly group: readonly Claim[];
    readonly peek: boolean;
}
/** Reads the reply to groups: the server's microseconds, and the rulings of each or why it could not be decided. */
export declare function readRulings(asked: readonly AskedGroup[], reply: unknown): {
    now: number;
    rulings: (readonly Ruling[] | string)[];
};
/** A reply of integers and error texts, also as a client gives it that has every number as a string. */
export declare function numbersOf(reply: unknown): (number | string)[];
export {};
//# sourceMappingURL=check-reply.d.ts.map