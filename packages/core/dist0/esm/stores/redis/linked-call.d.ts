import { StoreError } from '../../model/errors.js';
import type { Deadline, Timed } from './deadline.js';
import type { Primary, Waiting } from './primary.js';
import type { Script } from './redis-client.js';
/** A script to be run, and who is told what came of it. */
export interface ScriptCall {
    readonly script: Script;
    readonly keys: readonly string[];
    readonly arguments: readonly (string | number)[];
    /** Requests whose checks travel in it; 0 where none does. */
    readonly groups: number;
    /** When it was asked for, in milliseconds of `performance.now()`. */
    readonly asked: number;
    answer(reply: unknown): void;
    fail(error: StoreError): void;
}
/** What a call goes by. */
interface Link {
    readonly deadline: Deadline;
    execute(call: ScriptCall, bySource: boolean): Promise<unknown>;
    forget(linked: LinkedCall): void;
    answered(): void;
    notReady(primary: Primary): StoreError;
    refused(error: Error): void;
}
/** A call on its way. It is settled once: by its answer, by its failure, or by the deadline. */
export declare class LinkedCall implements Timed, Waiting {
    #private;
    readonly due: number;
    readonly primary: Primary;
    constructor(link: Link, call: ScriptCall, primary: Primary, isProbe?: boolean);
    /** Requests whose checks travel in it. */
    get groups(): number;
    get settled(): boolean;
    go(): void;
    giveUp(): void;
    expire(): void;
    /** Resolves when it is settled. */
    end(): Promise<void>;
}
export {};
//# sourceMappingURL=linked-call.d.ts.map