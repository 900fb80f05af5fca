import { type AskedGroup, type Question, type Ruled, type Told } from './question.js';
/**
 * Groups of a unit each under the same fixed windows, as those of one limiter are: the policies are said once, and nothing
 * of the claims. They are ruled on here, as single units are.
 */
export declare class EqualGroups implements Question {
    #private;
    readonly scriptName = "groups-fw";
    /** Each once. */
    readonly keys: readonly string[];
    readonly arguments: readonly (string | number)[];
    private constructor();
    static of(asked: readonly AskedGroup[]): EqualGroups | undefined;
    read(reply: readonly Told[]): Ruled;
}
//# sourceMappingURL=equal-groups.d.ts.map