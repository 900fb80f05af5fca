import type { OptionReader } from '../model/option-reader.js';
/**
 * The unit of time that a slot is counted in: the smallest tick that divides it and keeps limit times slot below 2^52,
 * so that every product of the formulas stays an exact integer in a double, in JavaScript as in Lua.
 *
 * @throws ConfigError WINDOW_INVALID when none does, with the nearest that would.
 */
export declare function tickOf(slot: number, limit: number, options: OptionReader, name: string): number;
//# sourceMappingURL=tick.d.ts.map