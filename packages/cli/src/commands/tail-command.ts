import type { Command } from 'commander';
import { action } from '../invocation/invocation.js';
import { CREDENTIALS, liveCommand } from './live-command.js';

export function tailCommand(): Command {
  return liveCommand('tail')
    .summary('follow the decisions of an application')
    .description(
      `Prints the decisions of a running application as they happen, by its dashboard. It prints at most 20 a second, and how many were left out. It ends with the application, or when you press Ctrl-C. ${CREDENTIALS}`,
    )
    .option('--denied', 'only requests that were not admitted')
    .addHelpText('after', '\nExample:\n  $ sluice tail --url http://localhost:3000/sluice --denied')
    .action(action(async () => (await import('../live/tail.js')).tail));
}
