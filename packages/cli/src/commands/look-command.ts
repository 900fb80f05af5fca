import type { Command } from 'commander';
import { action } from '../invocation/invocation.js';
import { clientCommand, costOption, limitOption, planOption } from './client-command.js';

export function lookCommand(): Command {
  return clientCommand('look')
    .summary('show what a client has left')
    .description(
      'Shows what a client has used and what it has left, in each tier that has a state of it. The command reads Redis and changes nothing. It exits with 1 if the next request is denied. It exits with 3 if that is not known, because a state that no tier of the configuration explains may deny it, or because no tier counts by such an identity. It needs a configuration, because the limits are in your code.',
    )
    .addOption(costOption())
    .addOption(limitOption())
    .addOption(planOption())
    .addHelpText(
      'after',
      '\nExamples:\n  $ sluice look ip 203.0.113.7\n  $ sluice look ip 2001:db8::1/56        as byIp({ ipv6Subnet: 56 })\n  $ sluice look key ada --tier user-hour',
    )
    .action(action(async () => (await import('../look/look.js')).look));
}
