import { Option, type Command } from 'commander';
import { action } from '../invocation/invocation.js';
import { clientCommand } from './client-command.js';
import { moment } from './moment.js';

export function historyCommand(): Command {
  return clientCommand('history', true)
    .summary('show who has changed what, when and why')
    .description(
      'Shows what people have changed: overrides, credits, debits, forgotten clients, pauses and applied policies, newest first. Redis has the last 1 000 acts. With a client it shows the last 50 acts on that client, which needs a configuration. Exits with 1 without an act.',
    )
    .option('--by <name>', 'acts of one person or token')
    .addOption(
      new Option(
        '--since <moment>',
        'a duration such as 7d, or a moment such as 2027-01-31 (the start of that day, UTC)',
      ).argParser(moment),
    )
    .option('--name <name>', 'name of the policies in Redis, as redisPolicies has it', 'limits')
    .addHelpText('after', '\nExamples:\n  $ sluice history --since 7d --by ada\n  $ sluice history key acme --json')
    .action(action(async () => (await import('../history/history.js')).history));
}

/** Who changes something, of each command that asks before. It is in what `sluice history` prints. */
export function withAuthor(command: Command): Command {
  const names = new Set(command.options.map(({ long }) => long));
  if (!names.has('--yes')) return command;
  if (!names.has('--by'))
    command.option('--by <name>', 'author of the change, for the history (default: user and host)');
  if (!names.has('--reason')) command.option('--reason <text>', 'why, for the history');
  return command;
}
