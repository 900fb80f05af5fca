import { changesOf } from '@sluice/policies/operations';
import { ExitCode } from '../exit-code.js';
import type { Invocation } from '../invocation.js';
import { textOf } from './apply.js';
import { documentIn, documentOf, withPolicies, type ApplyOptions } from './policies-source.js';
import { printChanges } from './put-in-force.js';
import { withStageCounts } from './stage-counts.js';

/** Prints what a file would change. Exits with 1 if it changes anything. */
export async function diff({ args, options, terminal }: Invocation<ApplyOptions>): Promise<ExitCode> {
  return withPolicies(options, async (policies, source) => {
    const state = await policies.read();
    const { name, text } = await textOf(args[0], state.version === 0 ? undefined : state.text!.text, options.set);
    const document = documentOf(name, text);
    const changes = await withStageCounts(source, changesOf(documentIn(state), document));
    for (const doubt of document.doubts) terminal.note(`note: ${doubt}`);
    if (terminal.isJson) terminal.document({ version: state.version, changes });
    else if (changes.length === 0) terminal.print(`v${state.version} says the same`);
    else printChanges(terminal, state.version, changes);
    return changes.length === 0 ? ExitCode.fine : ExitCode.found;
  });
}
