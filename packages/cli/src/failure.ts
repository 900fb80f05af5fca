import { ExitCode } from './exit-code.js';

/** An end of a command that its user can cure. The message says what to write, and never a secret. */
export class Failure extends Error {
  override readonly name = 'Failure';
  readonly exitCode: ExitCode;

  constructor(exitCode: ExitCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = exitCode;
  }
}

/** A wrong option, environment variable or file. */
export function usage(message: string): Failure {
  return new Failure(ExitCode.usage, message);
}

/** Something in Redis that should not be there. */
export function found(message: string): Failure {
  return new Failure(ExitCode.found, message);
}

/** A server that does not answer. */
export function unreachable(message: string): Failure {
  return new Failure(ExitCode.unreachable, message);
}

/** Any error as one that its user understands. Errors of core say what to change; those of stores, what Redis said. */
export function failureOf(error: unknown): Failure | undefined {
  if (error instanceof Failure) return error;
  const { name, message } = error as Partial<Error>;
  if (name === 'ConfigError' || name === 'UsageError') return usage(message!);
  if (name === 'StoreError') return unreachable(message!);
  return undefined;
}
