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
