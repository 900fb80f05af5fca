import { Command } from 'commander';
import { action } from '../invocation.js';

export function migrateCommand(): Command {
  return new Command('migrate')
    .summary('translate programs of other limiters to Sluice')
    .description(
      'Translates programs of express-rate-limit, @fastify/rate-limit, @nestjs/throttler, hono-rate-limiter and rate-limiter-flexible. Prints the difference, what stays different, and what it could not read: such a limit is left alone. Also names bottleneck, express-slow-down, @upstash/ratelimit, and INCR with EXPIRE. Exits with 1 if anything is left to do by hand, and with 2 for a file that is no program.',
    )
    .argument('<files...>', 'programs: JavaScript and TypeScript, of one application together')
    .option('--write', 'change the files')
    .addHelpText(
      'after',
      '\nExamples:\n  $ sluice migrate src/app.js\n  $ sluice migrate --write $(git ls-files "*.ts")',
    )
    .action(action(async () => (await import('../migrate/migrate.js')).migrate));
}
