import { formatDuration, parseDuration } from '../model/duration.js';

/** The names of units that users write. */
const UNITS: readonly (readonly [names: RegExp, unit: string])[] = [
  [/^(ms|msecs?|millis|milliseconds?)$/, 'ms'],
  [/^(s|secs?|seconds?)$/, 's'],
  [/^(m|mins?|minutes?)$/, 'm'],
  [/^(h|hrs?|hours?)$/, 'h'],
  [/^(d|days?)$/, 'd'],
  [/^(w|wks?|weeks?)$/, 'w'],
];

/** The rule for a duration as a message ends with it. It has what to write instead, if the value can be understood. */
export function durationRule(value: unknown, { range, min = 1e3, max, example }: DurationRange): string {
  const bounds = `must be a duration from ${range}`;
  const isAllowed = (microseconds: number) => microseconds >= min && microseconds <= max;
  if (typeof value === 'number' && isAllowed(sumOf(`${value}s`))) return `${bounds}: write '${value}s' for seconds`;
  if (typeof value !== 'string' || parseDuration(value) !== undefined) return `${bounds}, such as ${example}`;
  const rule = `${bounds}, in ms, s, m, h, d or w`;
  const text = value.trim().toLowerCase();
  if (/^\d+$/.test(text)) return `${rule}: write ${text} for milliseconds, or '${text}s' for seconds`;
  const meant = sumOf(text);
  return isAllowed(meant) ? `${rule}: write '${formatDuration(meant)}'` : `${rule}, such as ${example}`;
}

/** The durations that an option allows. */
export interface DurationRange {
  /** As a message has it: `1 ms to 400 days`. */
  readonly range: string;
  /** In microseconds. @default 1 ms */
  readonly min?: number;
  /** In microseconds. */
  readonly max: number;
  /** `60000 or '1m'` */
  readonly example: string;
  /** Milliseconds are its usual unit: a small number means what it says. */
  readonly isShort?: true;
}

/** The microseconds of a string such as `1h 30min`. NaN for any other string. */
function sumOf(text: string): number {
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)\s*([a-z]+)[\s,]*/g)];
  if (parts.map(([part]) => part).join('') !== text) return NaN;
  return parts.reduce((sum, [, count, name]) => {
    const [, unit] = UNITS.find(([names]) => names.test(name!)) ?? [];
    return sum + (parseDuration(`${count}${unit}`) ?? NaN);
  }, 0);
}
