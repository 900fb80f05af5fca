import { Command, InvalidArgumentError, Option } from 'commander';
import { action } from '../invocation.js';

export function keysCommand(): Command {
  return new Command('keys')
    .summary('count the keys of the limiters in Redis')
    .description(
      'Counts the keys of the limiters by tier, with their bytes and their time to live, by SCAN on every primary. Finds keys without expiry, of a wrong type, and, with a configuration, of shapes that no tier has; then it exits with 1.',
    )
    .option('--config <file>', 'module that exports the store of the limiters (default: sluice.config.js)')
    .addOption(
      new Option('--rate <percent>', 'most of the time that Redis spends on it').argParser(percent).default(10, '10'),
    )
    .addHelpText('after', '\nExample:\n  $ SLUICE_REDIS_URL=redis://redis.example:6379 sluice keys --rate 5')
    .action(action(async () => (await import('../keys/keys.js')).keys));
}

function percent(text: string): number {
  const value = Number(text.replace(/%$/, ''));
  if (value > 0 && value <= 100) return value;
  throw new InvalidArgumentError('Write a percentage above 0 and at most 100.');
}
