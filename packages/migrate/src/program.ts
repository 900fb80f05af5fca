import { Command, CommanderError } from 'commander';
import { ExitCode } from './exit-code.js';
import type { MigrateOptions } from './migrate.js';
import { Terminal, type TerminalOptions } from './terminal.js';
import { UsageError } from './usage-error.js';

type Options = MigrateOptions & TerminalOptions;

/** The command line. Help and docs/reference/migrate.md are made from it. */
export function createProgram(version: string): Command {
  const terminal = new Terminal();
  return new Command('sluice-migrate')
    .description(
      'Translates programs of express-rate-limit, @fastify/rate-limit, @nestjs/throttler, hono-rate-limiter and rate-limiter-flexible. Prints the difference, what stays different, and what it could not read: such a limit is left alone. Also names bottleneck, express-slow-down, @upstash/ratelimit, and INCR with EXPIRE. Exits with 1 if anything is left to do by hand, and with 2 for a file that is no program.',
    )
    .argument('<paths...>', 'files, folders and quoted patterns of programs, of one application together')
    .option('--write', 'change the files')
    .option('--json', 'print one document of JSON')
    .option('--no-color', 'print no colors (also: NO_COLOR=1)')
    .option('--quiet', 'print no notes')
    .version(version)
    .addHelpText('after', "\nExamples:\n  $ npx @sluice/migrate src\n  $ npx @sluice/migrate --write 'src/**/*.ts'")
    .showHelpAfterError('(npx @sluice/migrate --help lists all options)')
    .configureOutput({
      writeOut: (text) => terminal.say(text, 'stdout'),
      writeErr: (text) => terminal.say(text, 'stderr'),
    })
    .exitOverride()
    .action(async (paths: readonly string[], options: Options) => {
      process.exitCode = await ended(paths, options);
    });
}

/** Runs the command with arguments. Its exit code is that of the process. */
export async function runProgram(version: string, args: readonly string[]): Promise<void> {
  try {
    await createProgram(version).parseAsync(args, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // Help and version end well. All others are wrong command lines.
    process.exitCode = error.exitCode === 0 ? ExitCode.fine : ExitCode.usage;
  }
}

async function ended(paths: readonly string[], options: Options): Promise<ExitCode> {
  const terminal = new Terminal(options);
  try {
    // --help should not wait for the parser.
    const { migrate } = await import('./migrate.js');
    return await migrate(paths, options, terminal);
  } catch (error) {
    const { message, stack = '' } = Object(error) as Partial<Error>;
    if (error instanceof UsageError) {
      terminal.fail(message!);
      return ExitCode.usage;
    }
    const [, ...frames] = stack.split(/\n(?= {4}at )/);
    terminal.fail(`a fault of this command: ${message ?? String(error)}`, frames);
    return ExitCode.fault;
  }
}
