const FORM = /^(?:t=)?(\d{10}|\d{13}|\d{16})(\.\d{1,9})?$/;

/** What a unit of so many digits is in milliseconds: a time of 1970 or of the year 2300 is none. */
const UNITS: Readonly<Record<number, number>> = { 10: 1_000, 13: 1, 16: 1 / 1_000 };

/**
 * The time in a header that a proxy sets: in seconds, milliseconds or microseconds since 1970, with or without `t=`.
 *
 * @returns milliseconds. Undefined for anything else, such as a header that came twice
 */
export function readSentTime(text: string): number | undefined {
  const [, whole, fraction = ''] = FORM.exec(text) ?? [];
  return whole === undefined ? undefined : Number(whole + fraction) * UNITS[whole.length]!;
}
