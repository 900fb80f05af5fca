/** Reused, because a buffer for each text takes longer than the copy. */
const SCRATCH = Buffer.alloc(1_024);

/** A copy of a string that does not hold the text it was cut from: V8 makes a slice a reference to the whole header. */
export function detachedCopy(text: string): string {
  const copy = SCRATCH.toString('latin1', 0, SCRATCH.write(text, 'latin1'));
  // They differ for letters outside Latin-1, and for a string longer than the buffer.
  return copy === text ? copy : Buffer.from(text, 'utf16le').toString('utf16le');
}
