import { Argument, Command, Option } from 'commander';
import { action } from '../invocation.js';
import { collect } from './limits-option.js';

/** Policies in Redis, of `@sluice/policies`. */
export function policiesCommand(): Command {
  const commands = [apply(), diff(), status(), history(), rollback(), override(), list(), remove()];
  const group = new Command('policies').summary('change limits on a running fleet').description('Policies in Redis.');
  for (const command of commands) {
    group.addCommand(
      command
        .option('--name <name>', 'name of the policies in Redis, as redisPolicies has it', 'limits')
        .option('--config <file>', 'module that exports the store of the limiters (default: sluice.config.js)'),
    );
  }
  return group;
}

const FILE = 'YAML or JSON file (default: what is in force, with --set)';
const setOption = () =>
  new Option('--set <change>', 'LIMITER.TIER.OPTION=VALUE in place of what the text says; repeatable').argParser(
    collect,
  );
const byOption = () => new Option('--by <name>', 'author of the change, for the history (default: user and host)');
const yesOption = () => new Option('--yes', 'do not ask');

function apply(): Command {
  return new Command('apply')
    .summary('put a file in force in all processes')
    .description(
      'Prints what a file changes, asks, and puts it in force in all processes that read these policies. Counts of tiers that keep their name, window and algorithm stay. It fails if another version was applied meanwhile.',
    )
    .argument('[file]', FILE)
    .requiredOption('--reason <text>', 'why, for the history')
    .addOption(setOption())
    .addOption(
      new Option(
        '--replay <log>',
        'access log to replay through tiers with key: ip, before the question; repeatable',
      ).argParser(collect),
    )
    .addOption(byOption())
    .addOption(yesOption())
    .addHelpText(
      'after',
      `
Examples:
  $ sluice policies apply limits.yaml --reason "launch" --replay access.log.gz
  $ sluice policies apply --set api.tenant-hour.enforce=50% --reason "second stage"`,
    )
    .action(action(async () => (await import('../policies/apply.js')).apply));
}

function diff(): Command {
  return new Command('diff')
    .summary('what would a file change')
    .description('Prints what a file would change, and what follows for counts. Exits with 1 if it changes anything.')
    .argument('[file]', FILE)
    .addOption(setOption())
    .action(action(async () => (await import('../policies/diff.js')).diff));
}

function status(): Command {
  return new Command('status')
    .summary('which process runs which version')
    .description(
      'Prints the version in Redis, and the version of each process that has read it within 15 seconds. Exits with 1 if one differs.',
    )
    .action(action(async () => (await import('../policies/status.js')).status));
}

function history(): Command {
  return new Command('history')
    .summary('what was applied, by which author')
    .description('Prints the last 50 versions, newest first.')
    .action(action(async () => (await import('../policies/history.js')).history));
}

function rollback(): Command {
  return new Command('rollback')
    .summary('put an earlier version in force')
    .description('Puts an earlier version in force again, as a new version, after a question.')
    .argument('[version]', 'such as v42 (default: the one before)')
    .option('--reason <text>', 'why, for the history')
    .addOption(byOption())
    .addOption(yesOption())
    .action(action(async () => (await import('../policies/history.js')).rollback));
}

function clientArguments(command: Command): Command {
  return command
    .argument('<tier>', 'the tier')
    .addArgument(new Argument('<kind>', 'kind of the identity, as for sluice look'))
    .argument('<value...>', 'the identity; - reads it from stdin, so that no other user sees it')
    .option('--partition <identity>', 'partition of the client, as a plain text');
}

function override(): Command {
  return clientArguments(new Command('override'))
    .summary('give one client another limit')
    .description(
      'Gives one client another limit in all processes, until a time. Redis has the digest of the client, not its identity. The used units stay.',
    )
    .requiredOption('--limit <units>', 'whole number; never, or none for no limit')
    .requiredOption('--reason <text>', 'why')
    .option(
      '--until <moment>',
      'such as 2027-01-31 (its end, UTC) or 2027-01-31T12:00:00Z (default: until it is removed)',
    )
    .option('--for <duration>', 'such as 2h, in place of --until')
    .addHelpText(
      'after',
      '\nExample:\n  $ sluice policies override tenant-hour key acme --limit 200000 --until 2027-01-31 --reason "ticket 4711"',
    )
    .action(action(async () => (await import('../policies/overrides.js')).override));
}

function list(): Command {
  return new Command('list')
    .summary('list overrides')
    .description('Prints the overrides in Redis that have not ended. Those of files are not among them.')
    .action(action(async () => (await import('../policies/overrides.js')).list));
}

function remove(): Command {
  return clientArguments(new Command('remove'))
    .summary('end the override of a client')
    .description('Ends the override of a client in all processes. Exits with 1 without one.')
    .action(action(async () => (await import('../policies/overrides.js')).remove));
}
