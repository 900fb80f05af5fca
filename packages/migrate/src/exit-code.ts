/** What the command ends with: docs/reference/migrate.md. */
export const ExitCode = {
  /** Nothing is left to do by hand. */
  fine: 0,
  /** Something is left to do by hand. */
  found: 1,
  /** The command line is wrong, or a file cannot be read or written, or is no program. */
  usage: 2,
  /** An error that no rule of the command foresees. */
  fault: 70,
} as const;

export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];
