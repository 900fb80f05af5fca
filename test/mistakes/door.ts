import type { ErrorCode } from '../../packages/core/src/model/errors.js';

/** A function that reads options, and mistakes in them. */
export interface Door {
  readonly name: string;
  /** How its messages begin. */
  readonly owner: string;
  /** Whether its errors hold what is wrong. They never do where an option can be a secret. @default neither is checked */
  readonly values?: 'kept' | 'hidden';
  readonly make: (wrong: never) => unknown;
  readonly mistakes: readonly Mistake[];
}

/** The code of the error, the option that it names, words of its message, and what is wrong. */
export type Mistake = readonly [code: ErrorCode, option: string, words: string, wrong: unknown];
