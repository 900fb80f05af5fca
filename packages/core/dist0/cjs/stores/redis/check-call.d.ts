import type { Claim } from '../../model/claim.js';
import type { Later } from '../../model/later.js';
import type { Answer } from '../store.js';
import { type AskedGroup, type Ruled } from './question.js';
import type { Script } from './redis-client.js';
import { scripts } from './scripts.js';
/** A group of claims that waits for its answer. */
export interface Check extends AskedGroup {
    readonly answer: Later<Answer>;
}
/** Checks that travel together: the script and what it is called with, and how its reply is read. */
export declare class CheckCall {
    #private;
    /** When the first of them was asked for, in milliseconds of `performance.now()`. */
    readonly asked: number;
    constructor(asked: number);
    get groups(): number;
    get full(): boolean;
    hasRoomFor(group: readonly Claim[]): boolean;
    add(check: Check): void;
    get scriptName(): keyof typeof scripts;
    get script(): Script;
    get keys(): readonly string[];
    get arguments(): readonly (string | number)[];
    /** Gives every check its part of the reply. */
    answer(reply: unknown): void;
    /** The rulings of each check in order, or why it could not be decided. */
    read(reply: unknown): Ruled;
    fail(error: unknown): void;
}
//# sourceMappingURL=check-call.d.ts.map