import { Command } from 'commander';
import { action } from '../invocation/invocation.js';
import { rateOption } from './rate-option.js';

export function keysCommand(): Command {
  return new Command('keys')
    .summary('count the keys of Sluice in Redis')
    .description(
      'Counts the keys of Sluice by kind and tier, with their bytes, their time to live and what their loss costs. It uses SCAN on every primary, and changes nothing. It exits with 1 if it finds keys that should expire and do not, keys of a wrong type or keys of other programs, and with a configuration also keys of shapes that no tier has.',
    )
    .option('--config <file>', 'module that exports the store of the limiters (default: sluice.config.js)')
    .addOption(rateOption())
    .addHelpText('after', '\nExample:\n  $ SLUICE_REDIS_URL=redis://redis.example:6379 sluice keys --rate 5')
    .action(action(async () => (await import('../keys/keys.js')).keys));
}
