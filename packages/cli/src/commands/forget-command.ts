import type { Command } from 'commander';
import { action } from '../invocation/invocation.js';
import { clientCommand } from './client-command.js';

export function forgetCommand(): Command {
  return clientCommand('forget')
    .summary('let a denied client go on now')
    .description(
      'Prints what a client has used, asks, and forgets it, with the recorded strings. A balance, which a client has paid for, needs --tier. Without a terminal it needs --yes, and changes nothing otherwise. Processes that have denied the client recently may deny it for up to 60 s more, from their deny cache.',
    )
    .option('--yes', 'do not ask')
    .addHelpText('after', '\nExample:\n  $ sluice forget ip 203.0.113.7 --tier ip-minute --yes')
    .action(action(async () => (await import('../forget/forget.js')).forget));
}
