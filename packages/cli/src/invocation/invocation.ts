// invocation/ has a command as it was typed: options of every command, times, and how its work is run and ends. Arguments
// of a shell enter, and an exit code leaves. It imports failure, sources and terminal.
import type { Command } from 'commander';
import { ExitCode } from '../failure/exit-code.js';
import { failureOf } from '../failure/failure.js';
import { strayFailure } from '../sources/imported-module.js';
import { Terminal } from '../terminal/terminal.js';

/** Options of every command. */
export interface GlobalOptions {
  readonly json?: boolean;
  readonly color: boolean;
  readonly quiet?: boolean;
  /** The longest wait for an answer of a server. In milliseconds. */
  readonly timeout: number;
}

/** A command as it was typed. */
export interface Invocation<Options = object> {
  /** Its definition, with that of the program as parent. */
  readonly command: Command;
  readonly args: readonly string[];
  readonly options: Options & GlobalOptions;
  readonly terminal: Terminal;
  /** Aborted by SIGINT. */
  readonly signal: AbortSignal;
}

/** The work of a command. */
export type Run<Options = object> = (invocation: Invocation<Options>) => Promise<ExitCode>;

/**
 * The action of a command whose work is loaded when it is called: `--help` should not wait for it.
 *
 * @example
 * new Command('keys').action(action(async () => (await import('../keys/keys.js')).keys));
 */
export function action<Options>(load: () => Promise<Run<Options>>): (...parameters: unknown[]) => Promise<void> {
  return async (...parameters) => {
    const command = parameters.at(-1) as Command;
    const options = command.optsWithGlobals<Options & GlobalOptions>();
    const terminal = new Terminal(options);
    const interrupt = new AbortController();
    printWarnings(terminal);
    process.once('SIGINT', () => {
      interrupt.abort();
      process.exitCode = ExitCode.interrupted;
      // Work that does not listen ends as well.
      setTimeout(() => process.exit(), 200).unref();
    });
    const fail = (error: unknown) => {
      const { message, more, exitCode } = failureOf(error);
      terminal.fail(message, more);
      process.exitCode = exitCode;
    };
    // A module of the application may fail in a timer, or in a promise that nobody waits for.
    const stray = (error: unknown) => {
      fail(strayFailure(error) ?? error);
      process.exit();
    };
    process.on('uncaughtException', stray);
    try {
      const run = await load();
      const code = await run({ command, args: command.args, options, terminal, signal: interrupt.signal });
      process.exitCode ??= code;
    } catch (error) {
      if (interrupt.signal.aborted) return;
      fail(error);
    } finally {
      process.off('uncaughtException', stray);
    }
  };
}

/** Node would print a warning as it is, and those of a configuration quote what servers say. */
function printWarnings(terminal: Terminal): void {
  process.removeAllListeners('warning');
  process.on('warning', ({ name, message }) => terminal.note(`${name}: ${message}`));
}
