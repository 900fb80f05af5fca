import type { KeyTable } from './key-table.js';
/**
 * The key that loses least by being forgotten: of a few drawn at random, the one with the largest share of its budget
 * left. A key that is being denied is never given up, whoever asks for room: NONE if all that were drawn are.
 *
 * @param now microseconds
 * @param spared slots that must stay
 */
export declare function fullest(table: KeyTable, now: number, spared: readonly number[], random?: () => number): number;
//# sourceMappingURL=fullest.d.ts.map