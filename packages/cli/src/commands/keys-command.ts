import { Command } from 'commander';
import { action } from '../invocation/invocation.js';
import { rateOption } from './rate-option.js';

export function keysCommand(): Command {
  return new Command('keys')
    .summary('count the keys of Sluice in Redis')
    .description(
      'Counts the keys of Sluice by kind and tier, with their bytes, their time to live and what their loss costs, by SCAN on every primary. Finds keys that should expire and do not, keys of a wrong type and keys of other programs; with a configuration also keys of shapes that no tier has. Then it exits with 1. It changes nothing.',
    )
    .option('--config <file>', 'module that exports the store of the limiters (default: sluice.config.js)')
    .addOption(rateOption())
    .addHelpText('after', '\nExample:\n  $ SLUICE_REDIS_URL=redis://redis.example:6379 sluice keys --rate 5')
    .action(action(async () => (await import('../keys/keys.js')).keys));
}
