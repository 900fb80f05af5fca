/** A span of time: whole milliseconds, or text such as `'500ms'`, `'1s'`, `'15m'`, `'1h'`, `'30d'`, `'1w'`. */
export type Duration = number | `${number}${DurationUnit}`;
export type DurationUnit = 'ms' | 's' | 'm' | 'h' | 'd' | 'w';
/** The whole microseconds of a duration, or undefined for what is none. */
export declare function parseDuration(duration: unknown): number | undefined;
/** The shortest text of a duration given in microseconds: `'15m'`, `'1500ms'`. */
export declare function formatDuration(microseconds: number): string;
/** Whole seconds of milliseconds, for headers: rounded up as well. */
export declare function toSeconds(milliseconds: number): number;
/** Milliseconds for people and timers: rounded up, so that waiting them is always enough. */
export declare function toMilliseconds(microseconds: number): number;
//# sourceMappingURL=duration.d.ts.map