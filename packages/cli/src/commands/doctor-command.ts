import { Command } from 'commander';
import { action } from '../invocation/invocation.js';

export function doctorCommand(): Command {
  return new Command('doctor')
    .summary('examine the Redis of the limiters')
    .description(
      'Examines the Redis of the limiters: one server, Sentinels or a Cluster. It prints what is set up correctly, what is not, and what to type. It exits with 1 if there is a problem. A check that needs a missing right is reported as "not checked". No remedy deletes a key whose loss costs anything.',
    )
    .option('--config <file>', 'module that exports the store of the limiters (default: sluice.config.js)')
    .option('--user <name>', 'Redis user whose rights are checked (default: the one that connects)')
    .addHelpText('after', '\nExample:\n  $ SLUICE_REDIS_URL=redis://redis.example:6379 sluice doctor')
    .action(action(async () => (await import('../doctor/doctor.js')).doctor));
}
