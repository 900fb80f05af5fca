import { Option, type Command } from 'commander';
import { action } from '../invocation/invocation.js';
import { clientCommand } from './client-command.js';
import { wholeNumber } from './whole-number.js';

export function usageCommand(): Command {
  return clientCommand('usage')
    .summary('show what a client has used, by days')
    .description(
      'Shows the units that tiers with `usage` have charged a client, by days in UTC, or by hours with --json. A store keeps them for 62 days. The command changes nothing, and needs a configuration.',
    )
    .addOption(new Option('--days <count>', 'days to show, with today').argParser(wholeNumber(1, 62)).default(31))
    .addHelpText(
      'after',
      '\nExamples:\n  $ sluice usage key acme --tier month\n  $ sluice usage ip 203.0.113.7 --days 7 --json',
    )
    .action(action(async () => (await import('../usage/usage.js')).usage));
}
