import { Argument, Command, Option } from 'commander';
import { action, type Run } from '../invocation/invocation.js';
import { collect, LIMITER_HELP } from './limits-option.js';

/** Policies in Redis, of `@sluice/policies`. */
export function policiesCommand(): Command {
  const commands = [apply(), diff(), show(), status(), history(), rollback(), override(), list(), remove()];
  const group = new Command('policies')
    .summary('change limits on a running fleet')
    .description('Changes the limits of a running fleet. The policies are in Redis, where each process reads them.');
  for (const command of commands) {
    group.addCommand(
      command
        .option('--name <name>', 'name of the policies in Redis, as redisPolicies has it', 'limits')
        .option('--config <file>', 'module that exports the store of the limiters (default: sluice.config.js)'),
    );
  }
  return group;
}

interface Part<Options> {
  readonly summary: string;
  readonly description: string;
  readonly load: () => Promise<Run<Options>>;
}

function part<Options>(name: string, { summary, description, load }: Part<Options>): Command {
  return new Command(name).summary(summary).description(description).action(action(load));
}

const FILE = 'YAML or JSON file (default: what is in force, with --set)';
const setOption = () =>
  new Option('--set <change>', 'LIMITER.TIER.OPTION=VALUE in place of what the text says; repeatable').argParser(
    collect,
  );
const byOption = () => new Option('--by <name>', 'author of the change, for the history (default: user and host)');

/** Of every command that changes something. */
function withChangeOptions(command: Command): Command {
  return command
    .option('--yes', 'do not ask')
    .option('--first', 'no process runs yet: without it a change that reaches no process is refused');
}

function apply(): Command {
  const command = part('apply', {
    summary: 'put a file in force in all processes',
    description:
      'Prints what a file changes, asks, and puts it in force in all processes that read these policies. It says of each change whether the counts stay. It fails if another version was applied meanwhile, and changes nothing if no process reads the policies.',
    load: async () => (await import('../policies/apply.js')).apply,
  });
  return withChangeOptions(command)
    .argument('[file]', FILE)
    .requiredOption('--reason <text>', 'why, for the history')
    .addOption(setOption())
    .addOption(
      new Option(
        '--replay <log>',
        'access log to replay through tiers with key: ip, before the question; repeatable',
      ).argParser(collect),
    )
    .option('--limiter <name>', LIMITER_HELP)
    .addOption(byOption())
    .addHelpText(
      'after',
      `
Examples:
  $ sluice policies apply limits.yaml --reason "launch" --replay access.log.gz
  $ sluice policies apply --set api.tenant-hour.enforce=50% --reason "second stage"`,
    );
}

function diff(): Command {
  return part('diff', {
    summary: 'what would a file change, or what did a version',
    description:
      'Prints what a file would change, or what differs in two versions, and what follows for counts. Exits with 1 if it changes anything, and with 3 if that is not known: before the first version, where the processes have another text.',
    load: async () => (await import('../policies/diff.js')).diff,
  })
    .argument('[file...]', 'YAML or JSON file, or two versions such as 41 42 (default: what is in force, with --set)')
    .addOption(setOption());
}

function show(): Command {
  return part('show', {
    summary: 'print the text in force',
    description:
      'Prints the text in force, or that of one of the last 50 versions, and who applied it. Exits with 1 where nothing was applied.',
    load: async () => (await import('../policies/show.js')).show,
  }).argument('[version]', 'such as v42 (default: what is in force)');
}

function status(): Command {
  return part('status', {
    summary: 'which process runs which version',
    description:
      'Prints the version in Redis, and the version of each process that has read it within 15 seconds. Exits with 1 if one differs, and with 3 without a process.',
    load: async () => (await import('../policies/status.js')).status,
  });
}

function history(): Command {
  return part('history', {
    summary: 'what was applied, by which author',
    description: 'Prints the last 50 versions, newest first.',
    load: async () => (await import('../policies/history.js')).history,
  });
}

function rollback(): Command {
  const command = part('rollback', {
    summary: 'put an earlier version in force',
    description: 'Puts an earlier version in force again, as a new version, after a question.',
    load: async () => (await import('../policies/history.js')).rollback,
  });
  return withChangeOptions(command)
    .argument('[version]', 'such as v42 (default: the one before)')
    .option('--reason <text>', 'why, for the history')
    .addOption(byOption());
}

function clientArguments(command: Command): Command {
  return command
    .argument('<tier>', 'the tier')
    .addArgument(new Argument('<kind>', 'kind of the identity, as for sluice look'))
    .argument('<value...>', 'the identity; - reads it from stdin, so that no other user sees it')
    .option('--partition <identity>', 'partition of the client, as a plain text');
}

function override(): Command {
  const command = part('override', {
    summary: 'give one client another limit',
    description:
      'Asks, and gives one client another limit in all processes, until a time. Redis has the digest of the client, not its identity. The used units stay.',
    load: async () => (await import('../policies/overrides.js')).override,
  });
  return withChangeOptions(clientArguments(command))
    .requiredOption('--limit <units>', 'whole number; never, or none for no limit')
    .requiredOption('--reason <text>', 'why')
    .option(
      '--until <moment>',
      'such as 2027-01-31 (its end, UTC) or 2027-01-31T12:00:00Z (default: until it is removed)',
    )
    .option('--for <duration>', 'such as 2h, in place of --until')
    .addOption(byOption())
    .addHelpText(
      'after',
      '\nExample:\n  $ sluice policies override tenant-hour key acme --limit 200000 --until 2027-01-31 --reason "ticket 4711"',
    );
}

function list(): Command {
  return part('list', {
    summary: 'list overrides',
    description: 'Prints the overrides in Redis that have not ended. Those of files are not among them.',
    load: async () => (await import('../policies/overrides.js')).list,
  });
}

function remove(): Command {
  const command = part('remove', {
    summary: 'end the override of a client',
    description: 'Asks, and ends the override of a client in all processes. Exits with 1 without one.',
    load: async () => (await import('../policies/overrides.js')).remove,
  });
  return withChangeOptions(clientArguments(command));
}
