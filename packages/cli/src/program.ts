// These files are the program `sluice`: main.ts starts it, and program.ts lists its commands, which commands/ declares.
// Arguments of a shell enter. They import commands, failure and terminal, and no other folder imports them.
import { Command, CommanderError, Option } from 'commander';
import { benchCommand } from './commands/bench-command.js';
import { completionCommand } from './commands/completion-command.js';
import { doctorCommand } from './commands/doctor-command.js';
import { explainCommand } from './commands/explain-command.js';
import { forgetCommand } from './commands/forget-command.js';
import { historyCommand, withAuthor } from './commands/history-command.js';
import { keysCommand } from './commands/keys-command.js';
import { lookCommand } from './commands/look-command.js';
import { monitoringCommand } from './commands/monitoring-command.js';
import { policiesCommand } from './commands/policies-command.js';
import { replayCommand } from './commands/replay-command.js';
import { simulateCommand } from './commands/simulate-command.js';
import { tailCommand } from './commands/tail-command.js';
import { topCommand } from './commands/top-command.js';
import { usageCommand } from './commands/usage-command.js';
import { ExitCode } from './failure/exit-code.js';
import { Terminal } from './terminal/terminal.js';
import { duration } from './commands/duration.js';

/** All commands, in the order of the help. */
const COMMANDS: readonly (() => Command)[] = [
  lookCommand,
  explainCommand,
  forgetCommand,
  historyCommand,
  usageCommand,
  topCommand,
  tailCommand,
  policiesCommand,
  keysCommand,
  doctorCommand,
  simulateCommand,
  replayCommand,
  benchCommand,
  monitoringCommand,
  completionCommand,
];

/** A command of its own, because an application needs it once. */
const MIGRATE = '(npx @sluice/migrate translates programs of other limiters)\n';

/** The command line. Help, completion and docs/reference/cli.md are made from it. */
export function createProgram(version: string): Command {
  const terminal = new Terminal();
  const program = new Command('sluice')
    .description("Answers questions about Sluice's rate limiters, and examines their Redis.")
    .version(version)
    .option('--json', 'print JSON, one document or one a line')
    .option('--no-color', 'print no colors (also: NO_COLOR=1)')
    .option('--quiet', 'print no notes and no progress')
    .addOption(
      new Option('--timeout <duration>', 'longest wait for an answer of a server')
        .argParser(duration)
        .default(5_000, '5s'),
    )
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError('(sluice --help lists all commands)')
    .configureOutput({
      writeOut: (text) => terminal.say(text, 'stdout'),
      writeErr: (text) => terminal.say(text, 'stderr'),
      outputError: (text, write) => write(text.includes("unknown command 'migrate'") ? `${text}${MIGRATE}` : text),
    })
    .exitOverride();
  for (const create of COMMANDS) {
    const command = create();
    for (const each of [command, ...command.commands]) withAuthor(each).copyInheritedSettings(program);
    program.addCommand(command);
  }
  return program;
}

/** Runs the command that arguments name. Its exit code is that of the process. */
export async function runProgram(version: string, args: readonly string[]): Promise<void> {
  try {
    await createProgram(version).parseAsync(args, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // Help and version end well. All others are wrong command lines.
    process.exitCode = error.exitCode === 0 ? ExitCode.fine : ExitCode.usage;
  }
}
