/**
 * The pattern of one line of text, for regular expressions with the flag `u`. Logs, terminals and pages show it as it was written: it
 * has no control characters, no line separators, no invisible ones but the two joiners of words, and none that turn its direction.
 */
export const LINE = '^(?=.*\\S)(?:[^\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}]|[\\u200c\\u200d])+$';

/** @param most characters */
export function isLine(value: unknown, most: number): value is string {
  return typeof value === 'string' && value.length <= most && new RegExp(LINE, 'u').test(value);
}
