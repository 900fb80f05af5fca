import type { KeyBounds } from '../keys/key-function.js';

/** An option of an algorithm that depends on the subject: the first day of a period, or a caller that shares a limit. */
export interface SubjectOption<S> {
  readonly name: string;
  /** Requests of one key may differ in it: work waits in a line for each value, and to read a key takes none. */
  readonly isOfRequest: boolean;
  /** How many values one client can have, as for a key. It is undefined if this is not known. */
  readonly bounds?: KeyBounds | undefined;
  /** Stands for it in the policy of the tier itself. */
  readonly base: unknown;
  /** Calls its functions. @returns what they return, or a promise of that */
  call(subject: S): unknown;
  /** What a policy takes. @throws UsageError for results that it does not take */
  read(results: unknown): unknown;
  /** Tells values apart. */
  textOf(value: unknown): string;
}
