import { Option, type Command } from 'commander';
import { action } from '../invocation/invocation.js';
import { CREDENTIALS, liveCommand } from './live-command.js';
import { wholeNumber } from './whole-number.js';

export function topCommand(): Command {
  return liveCommand('top')
    .summary('list the clients that are denied most')
    .description(
      `Lists the clients that were denied most in the last minute, by the dashboard of a running application. A client is shown by a part of its digest, or by its label. With --by sending it lists the clients that send most, counted for five seconds. ${CREDENTIALS}`,
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
