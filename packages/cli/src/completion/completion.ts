// completion/ prints the script by which a shell completes commands. The list of commands enters. It imports invocation
// and failure.
import type { Command } from 'commander';
import { ExitCode } from '../failure/exit-code.js';
import type { Invocation } from '../invocation/invocation.js';

/** A command as shells complete it. */
interface Entry {
  readonly name: string;
  readonly summary: string;
  /** With those of the program. */
  readonly options: readonly string[];
  /** Of a group. */
  readonly commands: readonly string[];
}

const SCRIPTS: Readonly<Record<string, (entries: readonly Entry[]) => string>> = { bash, zsh, fish };

/** Prints the completion of a shell, made from the definitions of the commands. */
export async function printCompletion({ args: [shell], command, terminal }: Invocation): Promise<ExitCode> {
  for (const line of SCRIPTS[shell!]!(entriesOf(command.parent!)).split('\n')) terminal.print(line);
  return ExitCode.fine;
}

function entriesOf(program: Command): Entry[] {
  const longOf = (command: Command) =>
    command.options.flatMap(({ long }) => (long && long !== '--version' ? [long] : []));
  return program.commands.map((command) => ({
    name: command.name(),
    summary: command.summary() || command.description(),
    options: [...new Set([command, ...command.commands].flatMap(longOf)), ...longOf(program), '--help'],
    commands: command.commands.map((each) => each.name()),
  }));
}

function bash(entries: readonly Entry[]): string {
  const names = entries.map(({ name }) => name).join(' ');
  const cases = entries.map(({ name, options, commands }) => {
    const second = commands.length > 0 ? `; [ "$COMP_CWORD" = 2 ] && words="${commands.join(' ')}"` : '';
    return `    ${name}) words="${options.join(' ')}"${second} ;;`;
  });
  return `_sluice() {
  local word="\${COMP_WORDS[COMP_CWORD]}" words="${names} --help --version"
  case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
  esac
  [ "$COMP_CWORD" -gt 1 ] && [[ "$word" != -* && "$words" == -* ]] && return
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o default -F _sluice sluice`;
}

function zsh(entries: readonly Entry[]): string {
  const commands = entries.map(({ name, summary }) => `    '${name}:${summary.replaceAll("'", "'\\''")}'`);
  const cases = entries.map(({ name, options }) => `    ${name}) compadd -- ${options.join(' ')} ;;`);
  const groups = entries.flatMap(({ name, commands: own }) =>
    own.length > 0
      ? [`elif (( CURRENT == 3 )) && [[ "$words[2]" == ${name} ]]; then\n  compadd -- ${own.join(' ')}\n`]
      : [],
  );
  return `#compdef sluice
if (( CURRENT == 2 )); then
  local -a commands=(
${commands.join('\n')}
  )
  _describe command commands
${groups.join('')}elif [[ "$PREFIX" == -* ]]; then
  case "$words[2]" in
${cases.join('\n')}
  esac
else
  _files
fi`;
}

function fish(entries: readonly Entry[]): string {
  const lines = entries.flatMap(({ name, summary, options, commands }) => [
    `complete -c sluice -n __fish_use_subcommand -f -a ${name} -d '${summary.replaceAll("'", "\\'")}'`,
    ...(commands.length > 0
      ? [`complete -c sluice -n '__fish_seen_subcommand_from ${name}' -f -a '${commands.join(' ')}'`]
      : []),
    ...options.map((option) => `complete -c sluice -n '__fish_seen_subcommand_from ${name}' -l ${option.slice(2)}`),
  ]);
  return lines.join('\n');
}
