/** A text of others without control characters: clients choose recorded texts, and other programs names of keys. */
export function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}]/gu, (each) => `\\u{${each.codePointAt(0)!.toString(16)}}`);
}
