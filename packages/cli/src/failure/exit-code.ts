/** What a command ends with: docs/reference/cli.md. */
export const ExitCode = {
  /** Nothing to report. */
  fine: 0,
  /** The client is denied, there are problems, or a threshold is exceeded. */
  found: 1,
  /** The command line, the environment or the configuration is wrong. */
  usage: 2,
  /** Redis or the application cannot be reached, or what they say is not enough for an answer. */
  unreachable: 3,
  /** An error that no rule of the command foresees. */
  fault: 70,
  /** SIGINT. */
  interrupted: 130,
} as const;

export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];
