import type { Command } from 'commander';
import { action } from '../invocation/invocation.js';
import { clientCommand } from './client-command.js';
import { rateOption } from './rate-option.js';

export function forgetCommand(): Command {
  return clientCommand('forget', true)
    .summary('let a denied client go on now, or forget a tier')
    .description(
      'Prints what a client has used, asks, and forgets it, with the recorded strings. A balance, which a client has paid for, is forgotten only with --tier. Without a terminal the command needs --yes, and changes nothing otherwise. Processes that have denied the client recently may deny it for up to 60 s more, from their deny cache. With --tier and no client it counts the keys of all clients of that tier, asks, and deletes them by SCAN on every primary. It also finds keys of a tier that no program has any more. Credits, usage that may not be on a bill yet and limits of operators stay.',
    )
    .option('--yes', 'do not ask')
    .addOption(rateOption())
    .addHelpText(
      'after',
      '\nExamples:\n  $ sluice forget ip 203.0.113.7 --tier ip-minute --yes\n  $ sluice forget --tier old-tier',
    )
    .action(action(async () => (await import('../forget/forget.js')).forget));
}
