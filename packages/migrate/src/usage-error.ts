/** A mistake in the command line, or a file that cannot be read or written. The message says what to correct. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
