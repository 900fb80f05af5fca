/** Words that no shell reads as more than themselves. */
const PLAIN = /^[\w%+,./:=@-]+$/;
const PRINTABLE = /^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]*$/u;

/**
 * A command for a shell, where each inserted value is one word, whatever it holds: names of users, keys and hosts come from
 * servers.
 *
 * @example
 * shell`redis-cli ACL SETUSER ${user} ${grants}`; // grants: an array of words
 */
export function shell(
  texts: TemplateStringsArray,
  ...values: readonly (string | number | readonly string[])[]
): string {
  const words = values.map((value) =>
    typeof value === 'object' ? value.map(shellWord).join(' ') : shellWord(`${value}`),
  );
  return texts.map((text, index) => text + (words[index] ?? '')).join('');
}

/** With bytes as `\x1b` where a terminal would not show them, which needs bash, zsh or ksh. */
function shellWord(text: string): string {
  if (PLAIN.test(text)) return text;
  if (PRINTABLE.test(text)) return `'${text.replaceAll("'", String.raw`'\''`)}'`;
  const bytes = Array.from(Buffer.from(text), (byte) => (isPlainByte(byte) ? String.fromCharCode(byte) : hex(byte)));
  return `$'${bytes.join('')}'`;
}

/**
 * A key as an argument of `redis-cli --quoted-input`, for any shell: that reads `"\x1b"`.
 *
 * @param name its bytes, because a key need not be text
 */
export function quotedKey(name: Buffer): string {
  const bytes = Array.from(name, (byte) => (isPlainByte(byte) ? String.fromCharCode(byte) : hex(byte)));
  return `"${bytes.join('')}"`;
}

/** ASCII that stands for itself in `"…"` of redis-cli and in `$'…'` of a shell. */
function isPlainByte(byte: number): boolean {
  const isGraphic = byte >= 0x20 && byte <= 0x7e;
  return isGraphic && byte !== 0x22 && byte !== 0x27 && byte !== 0x5c;
}

function hex(byte: number): string {
  return String.raw`\x${byte.toString(16).padStart(2, '0')}`;
}
