import { Command, InvalidArgumentError } from 'commander';
import { doctorCommand } from './commands/doctor-command.js';
import { monitoringCommand } from './commands/monitoring-command.js';
import { parseTime } from './time.js';

/** All commands, in the order of the help. */
const COMMANDS: readonly (() => Command)[] = [doctorCommand, monitoringCommand];

/** The command line. Help, completion and docs/reference/cli.md are made from it. */
export function createProgram(version: string): Command {
  const program = new Command('sluice')
    .description("Asks and examines Sluice's rate limiters.")
    .version(version)
    .option('--json', 'print JSON, one document or one a line')
    .option('--no-color', 'print no colors (also: NO_COLOR=1)')
    .option('--quiet', 'print no notes and no progress')
    .option('--timeout <duration>', 'longest wait for an answer of a server', milliseconds, 5_000)
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError('(sluice --help lists all commands)')
    .exitOverride();
  for (const create of COMMANDS) program.addCommand(create().copyInheritedSettings(program));
  return program;
}

function milliseconds(text: string): number {
  const value = parseTime(text);
  if (value !== undefined) return value;
  throw new InvalidArgumentError('write a duration such as 500ms, 5s or 2m');
}
