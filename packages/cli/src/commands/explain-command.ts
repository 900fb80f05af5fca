import type { Command } from 'commander';
import { action } from '../invocation/invocation.js';
import { clientCommand, costOption, limitOption, planOption } from './client-command.js';

export function explainCommand(): Command {
  return clientCommand('explain')
    .summary('tell why a client is denied, and until when')
    .description(
      "Tells why a client is denied, from the stored state of each tier, and names the millisecond of Redis' clock at which its next request fits. It changes nothing, has the exit codes of sluice look, and needs a configuration.",
    )
    .addOption(costOption())
    .addOption(limitOption())
    .addOption(planOption())
    .addHelpText(
      'after',
      '\nExamples:\n  $ sluice explain ip 203.0.113.7\n  $ sluice explain jwt-subject https://issuer.example ada --cost 20\n  $ pbpaste | sluice explain api-key -\n  $ sluice explain digest h_tHdlBE',
    )
    .action(action(async () => (await import('../explain/explain.js')).explain));
}
