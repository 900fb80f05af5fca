import { ExitCode } from '../exit-code.js';
import type { Invocation } from '../invocation.js';
import { textOf } from './apply.js';
import { comparison } from './comparison.js';
import { documentOf, withPolicies, type ApplyOptions } from './policies-source.js';
import { printChanges, printNotes } from './put-in-force.js';
import { withStageCounts } from './stage-counts.js';

/** Prints what a file would change. Exits with 1 if it changes anything, and with 3 if that is not known. */
export async function diff({ args, options, terminal }: Invocation<ApplyOptions>): Promise<ExitCode> {
  return withPolicies(options, async (policies, source) => {
    const state = await policies.read();
    const { version } = state;
    const { name, text } = await textOf(args[0], state.text?.text, options.set);
    const document = documentOf(name, text);
    const compared = comparison({ state, processes: await policies.processes(), document });
    const changes = await withStageCounts(source, compared.changes);
    const { isKnown } = compared;
    if (terminal.isJson) terminal.document({ version, isKnown, changes });
    else if (changes.length > 0) printChanges(terminal, version, changes);
    else
      terminal.print(
        version === 0 ? 'nothing is applied yet, and this text changes nothing' : `v${version} says the same`,
      );
    printNotes(terminal, compared, document);
    if (!isKnown) return ExitCode.unreachable;
    return changes.length === 0 ? ExitCode.fine : ExitCode.found;
  });
}
