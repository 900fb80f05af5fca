import { Command, Option } from 'commander';
import { action } from '../invocation/invocation.js';
import { duration } from './duration.js';

export function benchCommand(): Command {
  return new Command('bench')
    .summary('measure checks against your Redis')
    .description(
      'Measures checks against your Redis with 1, 16 and 64 checks in flight: their rate, their latency, how many share a call, and the CPU time of Redis. The keys of the measurement expire within half a minute. The command exits with 1 if a check got no answer within the deadline.',
    )
    .option('--config <file>', 'module that exports the store of the limiters (default: sluice.config.js)')
    .addOption(
      new Option('--for <duration>', 'time of the whole measurement').argParser(duration).default(10_000, '10s'),
    )
    .option('--yes', 'measure a Redis of another machine without a question')
    .addHelpText('after', '\nExample:\n  $ SLUICE_REDIS_URL=redis://redis.example:6379 sluice bench --for 3s --yes')
    .action(action(async () => (await import('../bench/bench.js')).bench));
}
