/**
 * A time span: milliseconds as a number, or a string of a number and one unit: `ms`, `s`, `m`, `h`, `d` or `w`. Any
 * string compiles, because many come from variables; a wrong one is an error when the options are read.
 */
export type Duration = number | Example | (string & Record<never, never>);

/** What editors suggest. */
type Example = '1s' | '10s' | '1m' | '15m' | '1h' | '1d' | '30d';

const MICROSECONDS = { ms: 1e3, s: 1e6, m: 6e7, h: 3.6e9, d: 8.64e10, w: 6.048e11 } as const;

/** The whole microseconds of a duration. It is undefined for anything that is no duration. */
export function parseDuration(duration: unknown): number | undefined {
  if (typeof duration === 'number') return parseDuration(`${duration}ms`);
  if (typeof duration !== 'string') return undefined;
  const match = /^(\d+)(?:\.(\d+))? ?(ms|s|m|h|d|w)$/.exec(duration);
  if (match === null) return undefined;
  const [, units, decimals = '', unit] = match;
  // With doubles, 2.3 h is a fraction of a microsecond too short.
  const parts = BigInt(units! + decimals) * BigInt(MICROSECONDS[unit as keyof typeof MICROSECONDS]);
  const whole = 10n ** BigInt(decimals.length);
  const microseconds = Number(parts / whole);
  return parts % whole === 0n && Number.isSafeInteger(microseconds) ? microseconds : undefined;
}

/** The shortest text of a duration in microseconds: `'15m'`, `'1500ms'`. */
export function formatDuration(microseconds: number): string {
  const units = Object.entries(MICROSECONDS).toReversed();
  const [unit, size] = units.find(([, each]) => microseconds % each === 0) ?? ['ms', MICROSECONDS.ms];
  return `${microseconds / size}${unit}`;
}
