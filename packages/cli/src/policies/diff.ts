import type { RedisPolicies } from '@sluice/policies';
import { changesOf } from '@sluice/policies/operations';
import { ExitCode } from '../failure/exit-code.js';
import { usage } from '../failure/failure.js';
import type { Invocation } from '../invocation/invocation.js';
import { textOf } from './apply.js';
import { comparison } from './comparison.js';
import { documentOf, withPolicies, type ApplyOptions } from './policies-source.js';
import type { Terminal } from '../terminal/terminal.js';
import { printChanges, printNotes, printTable } from './put-in-force.js';
import { versionIn } from './version-in.js';
import { withStageCounts } from './stage-counts.js';

/** A version, as commands take it: v41 or 41. */
const VERSION = /^v?(\d{1,9})$/;

/** Prints what a file would change, or what a version has changed. Exits with 1 if it changes anything, and with 3 if that is not known. */
export async function diff({ args, options, terminal }: Invocation<ApplyOptions>): Promise<ExitCode> {
  return withPolicies(options, async (policies, source) => {
    const [from, to] = args.map((each) => VERSION.exec(each)?.[1]);
    if (from !== undefined && to !== undefined)
      return versions(policies, { from: Number(from), to: Number(to), terminal });
    if (args.length > 1) throw usage('name one file, or two versions such as 41 42');
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
        version === 0 ? 'nothing is applied yet, and this text changes nothing' : `v${version} has the same limits`,
      );
    printNotes(terminal, compared, document);
    if (!isKnown) return ExitCode.unreachable;
    return changes.length === 0 ? ExitCode.fine : ExitCode.found;
  });
}

interface Versions {
  readonly from: number;
  readonly to: number;
  readonly terminal: Terminal;
}

/** Prints what differs in two of the last versions. */
async function versions(policies: RedisPolicies, { from, to, terminal }: Versions): Promise<ExitCode> {
  const [before, after] = await Promise.all([from, to].map(async (each) => (await versionIn(policies, each)).document));
  const changes = changesOf(before, after!);
  if (terminal.isJson) terminal.document({ from, to, changes });
  else if (changes.length === 0) terminal.print(`v${to} has the same limits as v${from}`);
  else printTable(terminal, `v${from} → v${to}`, changes);
  return changes.length === 0 ? ExitCode.fine : ExitCode.found;
}
