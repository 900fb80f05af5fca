import { Option, type Command } from 'commander';
import { action } from '../invocation/invocation.js';
import { CREDENTIALS, liveCommand } from './live-command.js';
import { wholeNumber } from './whole-number.js';

export function topCommand(): Command {
  return liveCommand('top')
    .summary('list the clients that are denied most')
    .description(
      `Lists the clients that are denied most in the last minute, from the dashboard of a running application: a part of the digest of each, or its label. With --by sending, those that send most, counted for five seconds. ${CREDENTIALS}`,
    )
    .addOption(
      new Option('--by <list>', 'denied, or sending: those that send most')
        .choices(['denied', 'sending'])
        .default('denied'),
    )
    .addOption(new Option('-n, --number <clients>', 'clients to list').argParser(wholeNumber(1, 20)).default(10))
    .addHelpText('after', '\nExample:\n  $ sluice top --url http://localhost:3000/sluice')
    .action(action(async () => (await import('../live/top.js')).top));
}
