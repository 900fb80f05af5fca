const BRACE = 123;
/** Bytes before the object of a line. */
const MAX_INDENT = 16;

/** The object of a line. Undefined for another line. */
export function parseLine(bytes: Buffer, start: number, end: number): object | undefined {
  // Spaces, or the mark of UTF-8 that a file may begin with.
  const most = Math.min(end, start + MAX_INDENT);
  let first = start;
  while (first < most && bytes[first] !== BRACE) first += 1;
  // Most lines of other formats end here: a string and an error take longer than the rest.
  if (first === most) return undefined;
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8', first, end));
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    // A truncated line, or one of another format.
    return undefined;
  }
}
