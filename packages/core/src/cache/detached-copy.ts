/** Texts are written here and read again: to make a buffer for each takes longer. */
const SCRATCH = Buffer.alloc(1_024);

/** A text of its own, to be kept: one that was cut from another holds on to all of it, such as a token to its header. */
export function detachedCopy(text: string): string {
  const own = SCRATCH.toString('latin1', 0, SCRATCH.write(text, 'latin1'));
  // Another text is one with other letters, or one that is longer.
  return own === text ? own : Buffer.from(text, 'utf16le').toString('utf16le');
}
