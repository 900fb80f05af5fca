import type { Claim } from '../../model/claim.js';
import type { Policy } from '../../model/policy.js';
import type { Ruling } from '../../model/ruling.js';
import type { scripts } from './scripts.js';
/** A group of claims that is asked about. */
export interface AskedGroup {
    readonly group: readonly Claim[];
    readonly peek: boolean;
}
/** Groups as a script is asked about them, and how its reply is read. */
export interface Question {
    readonly scriptName: keyof typeof scripts;
    readonly keys: readonly string[];
    readonly arguments: readonly (string | number)[];
    read(reply: readonly Told[]): Ruled;
}
/** A number, a text of an error, or several of them. */
export type Told = number | string | readonly Told[];
export interface Ruled {
    /** The server's microseconds. */
    readonly now: number;
    /** The rulings of each group in order, or why it could not be decided. */
    readonly rulings: readonly (readonly Ruling[] | string)[];
}
/** A policy as the scripts read it. */
export declare function policyArguments(policy: Policy): readonly string[];
/** A reply of integers and error texts, also as a client gives it that has every number as a string. */
export declare function toldBy(reply: unknown): readonly Told[];
//# sourceMappingURL=question.d.ts.map