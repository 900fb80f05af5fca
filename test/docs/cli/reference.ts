import { createProgram } from '../../../packages/cli/src/program.js';
import { createProgram as createMigrate } from '../../../packages/migrate/src/program.js';
import { markdownTable } from '../markdown-table.js';
import { wrapped } from '../wrapped.js';

type Command = ReturnType<typeof createProgram>;
type Option = Command['options'][number];

/** Options of many commands. The section of the first one has them. */
const ONCE = ['--config <file>', '--name <name>'];

const SOURCES = [
  [
    '`sluice.config.js`',
    'or `.mjs`, or the file of `--config`: a module that exports the `store` of the limiters, on ioredis',
  ],
  ['`SLUICE_REDIS_URL`', 'without a configuration: one of the forms below'],
  ['`SLUICE_PREFIX`', 'the beginning of keys without a configuration; `rl` by default'],
];

const EXIT_CODES = [
  ['0', 'nothing to report'],
  ['1', 'the client is denied, there is a problem, or too many denials'],
  ['2', 'the command line, the environment or a file is wrong'],
  ['3', 'Redis or the application cannot be reached, or what they say is not enough for an answer'],
  ['70', 'a fault of the command: report it'],
  ['130', 'interrupted'],
];

const HEAD = `# Command line

\`npm run reference\` makes this page. [Operate](../guide/operate.md) shows which command answers which question, and
\`sluice COMMAND --help\` has examples.

\`\`\`sh
npm install --save-dev @sluice/cli
npx @sluice/cli --help
\`\`\`

Do not write \`npx sluice\`: the package of that name may be another author's.

## Where Redis is

${markdownTable(['source', 'meaning'], SOURCES)}

\`\`\`text
redis://user:password@host:6379/0
rediss://host:6379                                              TLS
redis://a:7000,redis://b:7000                                   Cluster
redis-sentinel://user:password@a:26379,b:26379/0#primary        Sentinels of the group "primary"
\`\`\`

The configuration imports what defines limits, and starts no server:
[an example](../guide/operate.md#why-is-this-client-denied). Commands that ask Redis take \`--config\`, those of policies
also \`--name\`. No secret is an option, because other users of a machine see the command line. No output shows a
password.

## Output

Data goes to stdout; notes, progress and errors go to stderr. \`--json\` prints one document, or one a line for streams,
each with \`"v": 1\`. Durations in it are milliseconds.

${markdownTable(['exit code', 'meaning'], EXIT_CODES)}`;

/** docs/reference/cli.md. */
export function cliReference(): string {
  const program = createProgram('0.0.0');
  const everywhere = `## Options of every command\n\n${markdownTable(['option', 'meaning'], optionRows(program))}`;
  const rows = new Map<string, string>();
  return `${[HEAD, everywhere, ...program.commands.flatMap(leavesOf).map((command) => sectionOf(command, rows))].join('\n\n')}\n`;
}

const MIGRATE = `# @sluice/migrate

\`npm run reference\` makes this page. [Migrate](../guide/migrate.md#by-a-command) shows what the command translates.

\`\`\`sh
npx @sluice/migrate src
\`\`\``;

const MIGRATE_CODES = [
  ['0', 'nothing is left to do by hand'],
  ['1', 'something is left to do by hand'],
  ['2', 'the command line is wrong, or a file cannot be read or written, or is no program'],
  ['70', 'a fault of the command: report it'],
];

/** docs/reference/migrate.md. */
export function migrateReference(): string {
  const command = createMigrate('0.0.0');
  const rows = [...argumentRows(command), ...optionRows(command)];
  const parts = [
    MIGRATE,
    wrapped(command.description()),
    markdownTable(['argument, option', 'meaning'], rows),
    wrapped(
      'The difference goes to stdout; notes and errors go to stderr. The document of `--json` has `"v": 1`, and the text of each file that would change.',
    ),
    markdownTable(['exit code', 'meaning'], MIGRATE_CODES),
  ];
  return `${parts.join('\n\n')}\n`;
}

/** The commands of a group, or the command alone. */
function leavesOf(command: Command): readonly Command[] {
  return command.commands.length > 0 ? command.commands : [command];
}

/** With the name of its group. */
function nameOf(command: Command): string {
  const { parent } = command;
  return parent?.parent ? `${parent.name()} ${command.name()}` : command.name();
}

/** @param printed rows of earlier commands, each with its command: this section refers to them */
function sectionOf(command: Command, printed: Map<string, string>): string {
  const name = nameOf(command);
  const parts = [`## sluice ${name}`, wrapped(command.description())];
  const all = [...argumentRows(command), ...optionRows(command)].filter(
    (row) => !printed.has(row.join()) || !ONCE.some((flags) => row[0] === `\`${flags}\``),
  );
  const owners = all.map((row) => printed.get(row.join()) ?? name);
  const own = all.filter((_, index) => owners[index] === name);
  if (own.length > 0) parts.push(markdownTable(['argument, option', 'meaning'], own));
  for (const owner of new Set(owners.filter((each) => each !== name))) {
    const shared = all.filter((_, index) => owners[index] === owner).map(([flags]) => flags);
    parts.push(wrapped(`As of [sluice ${owner}](#sluice-${owner.replace(' ', '-')}): ${shared.join(', ')}.`));
  }
  for (const row of own) printed.set(row.join(), name);

  return parts.join('\n\n');
}

function argumentRows({ registeredArguments: args }: Command): readonly string[][] {
  return args.map((each) => {
    const { required, description, argChoices } = each;
    const name = required ? `<${each.name()}>` : `[${each.name()}]`;
    return [`\`${name}\``, argChoices ? `${description} ${argChoices.join(', ')}`.trim() : description];
  });
}

function optionRows({ options }: Command): readonly string[][] {
  return options.map((option) => [`\`${option.flags}\``, meaningOf(option)]);
}

function meaningOf({ description, defaultValue, defaultValueDescription, argChoices, negate }: Option): string {
  const choices = argChoices ? `: ${argChoices.join(', ')}` : '';
  const shown = negate ? undefined : (defaultValueDescription ?? (defaultValue as string | undefined));
  return `${description}${choices}${shown === undefined ? '' : `; \`${shown}\` by default`}`;
}
