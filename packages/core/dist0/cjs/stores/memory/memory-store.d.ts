import type { Claim } from '../../model/claim.js';
import type { Receipt } from '../../model/receipt.js';
import type { Answer, Store } from '../store.js';
export interface MemoryStoreOptions {
    /**
     * Keys that are kept at most, 16 to 2^24. Each takes some 60 bytes and its own text, more with the algorithms that
     * remember more than two numbers. Where there is no room, a key that has expired leaves, else one that has much of
     * its budget left; a key that is being denied stays.
     *
     * @default 100_000
     */
    maxKeys?: number;
    /**
     * Tells the time in milliseconds since 1970, with fractions down to a microsecond.
     *
     * @default `performance.timeOrigin + performance.now()`, which is never set back
     */
    clock?: () => number;
}
/** A store in this process: it answers at once, never by promise. */
export interface MemoryStore extends Store {
    /** Keys that are kept at present. */
    readonly size: number;
    consume(group: readonly Claim[]): Answer;
    peek(group: readonly Claim[]): Answer;
    refund(receipts: readonly Receipt[]): number;
    reset(keys: readonly string[]): void;
    inspect(key: string): readonly string[];
    close(): void;
}
/**
 * Keeps state in memory: for one process, and for the time that Redis is away.
 *
 * @throws ConfigError
 */
export declare function memoryStore(options?: MemoryStoreOptions): MemoryStore;
/** True for a store of this copy of the package that keeps state in memory. */
export declare function isMemoryStore(store: Store): boolean;
//# sourceMappingURL=memory-store.d.ts.map