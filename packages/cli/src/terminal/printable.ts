/**
 * What a terminal obeys, or shows as something else: control characters of C0 and C1, and invisible ones of Unicode, such
 * as those that turn the direction of a line.
 */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** One line of text, with escapes such as `\u{1b}` for what is not printed. Clients and servers choose some of it. */
export function printable(text: string): string {
  return text.replaceAll(UNPRINTABLE, (each) => `\\u{${each.codePointAt(0)!.toString(16)}}`);
}

/** One line of JSON, with the escapes of JSON for what is not printed. */
export function printableJson(value: object): string {
  return JSON.stringify(value).replaceAll(UNPRINTABLE, escapeUnits);
}

/** JSON names UTF-16 units. */
function escapeUnits(character: string): string {
  return [...Array(character.length).keys()]
    .map((index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`)
    .join('');
}
