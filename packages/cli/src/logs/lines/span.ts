/** A text in bytes, of which it is a part: a string of its own for each text of a log takes longer than all else. */
export interface Span {
  bytes: Buffer;
  start: number;
  end: number;
}

/** The string of a span. */
export function stringOf({ bytes, start, end }: Span): string {
  return bytes.toString('utf8', start, end);
}

const BYTES_A_CHARACTER = 3;
const shared: Span = { bytes: Buffer.alloc(2 ** 10), start: 0, end: 0 };

/** The bytes of a string, which can be read until the next call. */
export function spanOf(text: string): Span {
  const most = text.length * BYTES_A_CHARACTER;
  if (most > shared.bytes.length) shared.bytes = Buffer.alloc(2 * most);
  shared.end = shared.bytes.write(text);
  return shared;
}

// Once, and not for each byte: looking up a global takes a microsecond where a program runs in a context of `node:vm`.
const { imul } = Math;

const FNV_BASIS = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** FNV-1a: a number that equal texts share, and others almost never. */
export function hashOf({ bytes, start, end }: Span, seed = FNV_BASIS): number {
  let hash = seed;
  for (let at = start; at < end; at += 1) hash = imul(hash ^ bytes[at]!, FNV_PRIME);
  return hash;
}

/** True where bytes have a text at a place, which ends before `end`. */
export function isAt(bytes: Buffer, separator: Uint8Array, at: number, end: number): boolean {
  if (at + separator.length > end) return false;
  for (let index = 0; index < separator.length; index += 1) {
    if (bytes[at + index] !== separator[index]) return false;
  }
  return true;
}
