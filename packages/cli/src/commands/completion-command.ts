import { Argument, Command } from 'commander';
import { action } from '../invocation/invocation.js';

/** The shells that complete. */
const SHELLS = ['bash', 'zsh', 'fish'] as const;

export function completionCommand(): Command {
  return new Command('completion')
    .summary('print the completion of a shell')
    .description('Prints a script that makes a shell complete commands and options.')
    .addArgument(new Argument('<shell>').choices(SHELLS))
    .addHelpText(
      'after',
      `
Examples:
  $ sluice completion bash > /etc/bash_completion.d/sluice
  $ sluice completion zsh > "\${fpath[1]}/_sluice"
  $ sluice completion fish > ~/.config/fish/completions/sluice.fish`,
    )
    .action(action(async () => (await import('../completion/completion.js')).printCompletion));
}
