import type { AlgorithmCode } from '../../model/policy.js';
import { type AskedGroup, type Question, type Ruled, type Told } from './question.js';
/** Groups of any claims, each of which the script describes. */
export declare class Groups implements Question {
    #private;
    constructor(asked: readonly AskedGroup[]);
    get scriptName(): `consume-${AlgorithmCode | 'any'}`;
    get keys(): readonly string[];
    get arguments(): readonly (string | number)[];
    read(reply: readonly Told[]): Ruled;
}
/** Where the texts are kept that are recorded with a key: in its slot. */
export declare function recordKey(key: string): string;
//# sourceMappingURL=groups.d.ts.map