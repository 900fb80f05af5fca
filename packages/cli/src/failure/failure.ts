// failure/ has the ends of a command: its exit codes, and failures that a user can cure. Any error enters, and a failure
// with its exit code leaves. It imports nothing of the program.
import { ExitCode } from './exit-code.js';

/** An end of a command that its user can cure. The message says what to write, and never a secret. */
export class Failure extends Error {
  override readonly name = 'Failure';
  readonly exitCode: ExitCode;
  /** Lines below the message, such as an example. */
  readonly more: readonly string[];

  constructor(exitCode: ExitCode, message: string, more: readonly string[] = []) {
    super(message);
    this.exitCode = exitCode;
    this.more = more;
  }
}

/** A wrong option, environment variable or file. @param more lines below the message */
export function usage(message: string, ...more: readonly string[]): Failure {
  return new Failure(ExitCode.usage, message, more);
}

/** Something in Redis that should not be there. */
export function found(message: string): Failure {
  return new Failure(ExitCode.found, message);
}

/** A server that does not answer. @param more lines below the message */
export function unreachable(message: string, ...more: readonly string[]): Failure {
  return new Failure(ExitCode.unreachable, message, more);
}

/** Names of errors of ioredis. */
const OF_REDIS = /^(ReplyError|AbortError|MaxRetriesPerRequestError|ClusterAllFailedError)$/;
/** Of ioredis too, whose names say nothing. */
const OF_CONNECTION = /^(Command timed out|Connection is closed)/;

/** Any error as one that its user understands. Errors of core say what to change; those of stores, what Redis said. */
export function failureOf(error: unknown): Failure {
  if (error instanceof Failure) return error;
  const { name, message, stack = '' } = Object(error) as Partial<Error>;
  if (name === 'ConfigError' || name === 'UsageError') return usage(message!);
  if (name === 'StoreError') return unreachable(message!);
  if (OF_REDIS.test(name ?? '') || OF_CONNECTION.test(message ?? '')) return unreachable(`Redis: ${message}`);
  const [, ...frames] = stack.split(/\n(?= {4}at )/);
  return new Failure(ExitCode.fault, `a fault of this command: ${message ?? String(error)}`, frames);
}
